"""Combines the signals into one score. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from .options import FusionOptions
from .signals import SIGNALS, Signals

Values = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

RRF_K = 60
"""Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion" (SIGIR 2009)."""
_DAY = 86_400.0


def fuse(
    signals: Signals,
    options: FusionOptions,
    *,
    among: Mask,
    moments: Values,
    importance: Values,
    hearsay: Mask,
    now: float,
    worth: Values | float = 0.0,
    last_recalled: Values | float = 0.0,
) -> Values:
    """``float64[n]``: the score of each memory, larger is better.

    With `convex` the score is between 0 and 1, changed by a few per cent for recency and
    importance. Times are in seconds since the epoch. `among` (``bool[n]``) marks the memories that
    the query may see; methods compare only these, and the scores of others have no meaning.
    """
    weights = weights_of(signals, options)
    score = _METHODS[options.method](signals.table, weights, among)
    stretch = slowing(options, worth, last_recalled, now=now)
    factor = moderation(
        options, moments=moments, importance=importance, hearsay=hearsay, now=now, stretch=stretch
    )
    return score * factor


def contributions(signals: Signals, options: FusionOptions, among: Mask) -> Values:
    """``float64[len(SIGNALS), n]``: the part of each signal in a score, without `moderation`."""
    method, weights = _METHODS[options.method], weights_of(signals, options)
    # Every method is linear in the weights.
    return np.stack([method(signals.table, row, among) for row in np.diag(weights)])


def weights_of(signals: Signals, options: FusionOptions) -> Values:
    """``float64[len(SIGNALS)]``: the configured weights of the used signals, scaled to sum 1."""
    given = np.array([getattr(options.weights, name) * (name in signals.used) for name in SIGNALS])
    total = given.sum()
    return given / total if total > 0 else given


def moderation(
    options: FusionOptions,
    *,
    moments: Values,
    importance: Values,
    hearsay: Mask,
    now: float,
    stretch: Values | float = 1.0,
) -> Values:
    """``float64[n]`` around 1: the factor for age, importance and source, bounded by the options.

    `hearsay` (``bool[n]``) marks what the user never said themselves. `stretch` is that of
    `slowing`.

    An importance of 0.5 does not change a score, and neither does an age of one half-life.
    """
    age = np.maximum(now - moments, 0.0)
    newness = np.exp2(-age / (options.half_life_days * _DAY * stretch))
    shift = options.recency * (2 * newness - 1)
    shift += options.importance * (2 * np.clip(importance, 0.0, 1.0) - 1)
    shift -= options.hearsay * hearsay
    return np.asarray(1.0 + shift, np.float64)


def slowing(
    options: FusionOptions, worth: Values | float, last_recalled: Values | float, *, now: float
) -> Values:
    """From 1 on: how much slower a memory's recency fades because it was recalled.

    It grows with `Usage.worth`, and shrinks again by half with each half-life since the last
    recall. A memory without recalls has 1, so that without counters no score changes.
    """
    since = np.maximum(now - np.asarray(last_recalled, np.float64), 0.0)
    lately = np.exp2(-since / (options.half_life_days * _DAY))
    return np.asarray(1.0 + options.usage * np.asarray(worth, np.float64) * lately)


def _convex(table: Values, weights: Values, _: Mask) -> Values:
    score: Values = weights @ table
    return score


def _weighted(table: Values, weights: Values, among: Mask) -> Values:
    low = table.min(axis=1, keepdims=True, where=among, initial=1.0)
    spread = table.max(axis=1, keepdims=True, where=among, initial=0.0) - low
    return _convex((table - low) / np.where(spread > 0, spread, 1.0), weights, among)


def _rrf(table: Values, weights: Values, among: Mask) -> Values:
    """Ties share the best rank; a signal of 0 has no rank."""
    score = np.zeros(table.shape[1])
    for row, weight in zip(table, weights, strict=True):
        if weight:
            score += weight * (row > 0) * (RRF_K + 1) / (RRF_K + ranks(np.where(among, row, -1.0)))
    return score


def ranks(values: Values) -> Values:
    """``float64[n]``: 1 for the largest; equal values share the smaller number."""
    ordered = np.sort(-values)
    return (np.searchsorted(ordered, -values, side="left") + 1).astype(np.float64)


_METHODS: Mapping[str, Callable[[Values, Values, Mask], Values]] = MappingProxyType(
    {"convex": _convex, "weighted": _weighted, "rrf": _rrf}
)
