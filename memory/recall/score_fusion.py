"""Combines the signals into one score. Pure."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from .constants import Tuning
from .signals import SIGNALS, Signal, Signals

Values = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

_DAY = 86_400.0
_ON_TOP = SIGNALS.index(Signal.CONNECTED)


def fuse(
    signals: Signals,
    tuning: Tuning,
    *,
    moments: Values,
    importance: Values,
    hearsay: Mask,
    now: float,
) -> Values:
    """``float64[n]``: the score of each memory, larger is better.

    It is the weighted mean of the signals, between 0 and 1, changed by a few per cent for recency
    and importance: scores of different queries can be compared. Times are in seconds since the
    epoch.
    """
    score: Values = weights_of(signals, tuning) @ signals.table
    factor = moderation(tuning, moments=moments, importance=importance, hearsay=hearsay, now=now)
    return score * factor


def feedback_share(tuning: Tuning, rating: Values) -> Values:
    """``float64[n]``: the share of its score that each memory gains or loses by feedback.

    `rating` is `Usage.rating`, from -1 to 1. Nobody's word: 0. Below 0 it loses up to
    `Tuning.feedback`, above it gains up to `Tuning.praise`.
    """
    said = np.minimum(np.maximum(rating, -1.0), 1.0)
    return np.where(rating < 0, tuning.feedback, tuning.praise) * said


def contributions(signals: Signals, tuning: Tuning) -> Values:
    """``float64[len(SIGNALS), n]``: the part of each signal in a score, without `moderation`."""
    parts: Values = weights_of(signals, tuning)[:, None] * signals.table
    return parts


def weights_of(signals: Signals, tuning: Tuning) -> Values:
    """``float64[len(SIGNALS)]``: the weights of the used signals, scaled to sum 1.

    `connected` comes on top of that sum, on the same scale and at most 1: being reached from a hit
    lowers no other score.
    """
    return shares_of(signals.used, tuning)


def shares_of(used: Collection[str], tuning: Tuning) -> Values:
    """The same, by the names of the signals that are used."""
    given = np.array([tuning.weights[name] * (name in used) for name in SIGNALS])
    on_top, given[_ON_TOP] = given[_ON_TOP], 0.0
    total = given.sum()
    if total <= 0:
        return given
    shared = given / total
    shared[_ON_TOP] = 1.0 if on_top >= total else on_top / total
    return np.asarray(shared)


def moderation(
    tuning: Tuning, *, moments: Values, importance: Values, hearsay: Mask, now: float
) -> Values:
    """``float64[n]`` around 1: the factor for age, importance and source, bounded by the tuning.

    `hearsay` (``bool[n]``) marks what the user never said themselves. Age is that of what was said:
    being recalled makes no memory newer.

    An importance of 0.5 does not change a score, and neither does an age of one half-life.
    """
    age = np.maximum(now - moments, 0.0)
    newness = np.exp2(-age / (tuning.half_life_days * _DAY))
    shift = tuning.recency * (2 * newness - 1)
    shift += tuning.importance * (2 * np.minimum(np.maximum(importance, 0.0), 1.0) - 1)
    shift -= tuning.hearsay * hearsay
    return np.asarray(1.0 + shift, np.float64)


def ranks(values: Values) -> Values:
    """``float64[n]``: 1 for the largest; equal values share the smaller number."""
    ordered = np.sort(-values)
    return (np.searchsorted(ordered, -values, side="left") + 1).astype(np.float64)


def largest(values: Values, most: int) -> npt.NDArray[np.int64]:
    """Positions of the largest values, in order; of equal ones the earlier position is first."""
    if most >= len(values):
        return (-values).argsort(kind="stable")
    falling = -values
    at_most = falling.copy()
    at_most.partition(most - 1)
    among = (falling <= at_most[most - 1]).nonzero()[0]
    found: npt.NDArray[np.int64] = among[falling[among].argsort(kind="stable")[:most]]
    return found
