"""The probability that a memory bears on a message. Pure.

Whether a memory is recalled, and the score of a search hit, are this one number. It depends on the
message and the memory alone: what else is stored changes it only by how rare a word is. Its weights
are fitted (`calibration.weights`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..calibration import ANSWERS, AnswerWeights, Calibration
from .signals import SIGNALS, Signal, Signals

Values = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

LEAST_NEAR, MOST_NEAR = -1.0, 2.0
"""Spreads beyond which a cosine tells no more."""
DEPENDS = 10.0
"""So that what `depends` counts is of the size of the other weights."""
BEGINS = 1.5
"""Standard deviations from which nearness tells more."""
FOR_QUESTION, FOR_LINE, OF_THEME = (4.57, 1.46), (4.8, 1.95), (0.37, 0.1)
"""Slope and start of what a `SimilarityBaseline` gives, by the cosine in spreads: its regression on
the development sets, for candidates of a store, of which only the cosine is known."""


class Nearness(NamedTuple):
    """The nearness of k memories to a question, relative to `SimilarityBaseline`."""

    for_question: Values
    """``float64[k]``, in standard deviations."""
    for_line: Values
    theme: Values
    """How much likelier than by chance both are of one theme, in natural logarithms."""


def near(found: Signals, at: npt.NDArray[np.int64], calibration: Calibration) -> Values:
    """``float64[k]``: the cosines at these positions, in spreads above the floor."""
    spreads = (found.cosine[at] - calibration.floor) / calibration.spread
    return np.minimum(np.maximum(spreads, LEAST_NEAR), MOST_NEAR)


def guessed(nearness: Values) -> Nearness:
    """What a background would give to memories of which the cosine is known (`near`)."""
    three = [slope * nearness + start for slope, start in (FOR_QUESTION, FOR_LINE, OF_THEME)]
    return Nearness(*three)


def told(
    found: Signals,
    at: npt.NDArray[np.int64],
    nearness: Values,
    related: Nearness,
    *,
    personal: bool,
    depends: float = 0.0,
) -> Values:
    """``float64[len(ANSWERS), k]``: what the memories at k positions tell for `AnswerWeights`.

    `nearness` is that of `near`. `personal` is whether the question speaks of the user, or of
    somebody whom the memories know; for `depends` see `prototypes.MessageMeaning`. Cosines count
    less where the embedder hardly knows a language.
    """
    worth = found.meaning.worth[at]
    agrees = np.minimum(related.for_question, related.for_line)
    rows: Mapping[str, Values | float] = {
        "near": nearness * worth,
        "words": found.coverage[at],
        "name": found.table[SIGNALS.index(Signal.ENTITY), at],
        "time": found.table[SIGNALS.index(Signal.DATE), at],
        "personal": personal,
        "depends": DEPENDS * depends,
        "agrees": agrees * worth,
        "line": np.maximum(related.for_line - BEGINS, 0.0) * worth,
        "theme": related.theme * worth,
        "unread": 1.0 - worth,
    }
    table = np.empty((len(ANSWERS), len(at)))
    for row, name in zip(table, ANSWERS, strict=True):
        row[:] = rows[name]
    return table


def log_odds(table: Values, weights: AnswerWeights) -> Values:
    """``float64[k]`` of a table of `told`."""
    return np.asarray(_given(weights) @ table + weights.bias)


@lru_cache(maxsize=8)
def _given(weights: AnswerWeights) -> Values:
    return np.array([getattr(weights, name) for name in ANSWERS])


def probability(odds: Values) -> Values:
    """The probability of log odds."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.minimum(np.maximum(odds, -50.0), 50.0))))


def odds_of(probability: float) -> float:
    """The log odds of a probability; -inf and inf for 0 and 1."""
    if probability <= 0.0:
        return -math.inf
    return math.inf if probability >= 1.0 else math.log(probability / (1.0 - probability))
