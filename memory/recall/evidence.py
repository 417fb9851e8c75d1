"""The probability that something stored answers a query, and that a search hit is right. Pure.

Whether anything is recalled, how much, and the score of a search are this one number. Its weights
are fitted (`calibration.weights`): the best memory of a question in the user's own store and in a
stranger's are told apart by how much nearer in meaning it is than the others, by shared words, by
the number of memories, and by whether anybody of the store is spoken of.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ..calibration import ANSWERS, RIGHT, AnswerWeights, Calibration, HitWeights
from .signals import SIGNALS, Signal, Signals

Values = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

USUAL = 8
"""Memories that the floor of the embedder counts for in the usual cosine of a store: of few, their
own mean tells little."""
MANY = 1000
"""More memories need no more evidence: no measured store is larger, and the nearest of many grows
slower than their logarithm."""
NEAREST = 1.5
"""Spreads from which nearer is no more evidence."""
LEAST_DATE = 0.5
"""Least `date` signal with which the query asks about the memory's time."""
TIMELY = 0.5
"""Evidence for a memory of the time that a personal query asks about, whatever its words are."""
BEHIND = 6.0
"""Log odds behind the best from which a memory is no more recalled beside it: of the evidence of
answerable questions among the first 20 hits, 3 % is further behind."""
IN_CONTEXT = 0.2
"""Words of a spoken line and the line before it (`Signals.in_context`) from which it is recalled
beside the best: it may be the answer."""
DEPENDS = 10.0
"""So that what `depends` counts is of the size of the other weights."""
TOP = 3
"""Best memories of a holder that are compared with those of others."""


def usual(found: Signals, among: Mask | None, calibration: Calibration) -> float:
    """The cosine of an unrelated memory to this query, in this store.

    It is the mean of the memories that `among` (``bool[n]``) marks: it holds in every language and
    for any question. Without `among`, it is the floor of the embedder.
    """
    if among is None:
        return calibration.floor
    total = float(found.cosine.sum(where=among)) + USUAL * calibration.floor
    return total / (int(np.count_nonzero(among)) + USUAL)


def nearness(found: Signals, usual: float, calibration: Calibration) -> Values:
    """``float64[n]``: how much nearer each memory is than usual, in spreads, from 0 to `NEAREST`.

    Less where the embedder hardly knows a language.
    """
    near = (found.cosine - usual) / calibration.spread
    return np.asarray(np.clip(near, 0.0, NEAREST) * found.meaning.worth)


def told(
    found: Signals,
    near: Values,
    among: Mask,
    *,
    personal: bool,
    elsewhere: bool,
    depends: float = 0.0,
) -> Values:
    """``float64[len(ANSWERS), n]``: what each memory tells for `AnswerWeights`.

    `near` is that of `nearness`; `among` (``bool[n]``) marks the memories of the store that the
    query may see. `personal` is whether the query speaks of the user, or of somebody whom the
    memories know; for `elsewhere` see `is_elsewhere`, for `depends` `prototypes.MessageMeaning`.
    """
    seen = min(max(int(np.count_nonzero(among)), 1), MANY)
    rows: Mapping[str, Values | float] = {
        "near": near,
        "words": found.coverage,
        "both": near * found.coverage,
        "name": found.table[SIGNALS.index(Signal.ENTITY)],
        "time": found.table[SIGNALS.index(Signal.DATE)],
        "topic": found.table[SIGNALS.index(Signal.TOPIC)],
        "memories": math.log10(seen),
        "personal": personal,
        "elsewhere": elsewhere,
        "depends": DEPENDS * depends,
    }
    return _table([rows[name] for name in ANSWERS], len(near))


def _table(rows: Sequence[Values | float], n: int) -> Values:
    """``float64[len(rows), n]``: a number stands in each column of its row."""
    table = np.empty((len(rows), n))
    for row, values in zip(table, rows, strict=True):
        row[:] = values
    return table


def log_odds(table: Values, weights: AnswerWeights) -> Values:
    """``float64[n]`` of a table of `told`."""
    given = np.array([getattr(weights, name) for name in ANSWERS])
    return np.asarray(given @ table + weights.bias)


def probability(odds: Values) -> Values:
    """The probability of log odds."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(odds, -50.0, 50.0))))


def placed(odds: Values, fused: Values) -> Values:
    """``float64[len(RIGHT), k]``: what tells of the first k hits whether they are right.

    They are given in the order of their fused scores, best first.
    """
    best = fused[0] if len(fused) and fused[0] > 0 else 1.0
    share = np.clip(fused / best, 0.0, 1.0)
    rivals = np.ones_like(share)
    rivals[:1] = share[1] if len(share) > 1 else 0.0
    rows: Mapping[str, Values | float] = {
        "answers": odds,
        "share": share,
        "lead": share - rivals,
        "place": np.log1p(np.arange(len(odds))),
    }
    return _table([rows[name] for name in RIGHT], len(odds))


def scores(odds: Values, fused: Values, weights: HitWeights) -> Values:
    """``float64[k]``: how likely each of the hits of `placed` is right; it never rises."""
    given = np.array([getattr(weights, name) for name in RIGHT])
    likely = probability(given @ placed(odds, fused) + weights.bias)
    return np.asarray(np.minimum.accumulate(likely))


def is_related(found: Signals, near: Values) -> Mask:
    """``bool[n]``: nearer than usual, or with a word in common: all else is no evidence.

    `near` is that of `nearness`.
    """
    related: Mask = (near > 0) | (found.coverage > 0)
    return related


def is_timely(found: Signals, near: Values) -> Mask:
    """``bool[n]``: said at the time that the query asks about, and not unrelated.

    `near` is that of `nearness`.
    """
    timely: Mask = found.table[SIGNALS.index(Signal.DATE)] >= LEAST_DATE
    return timely & is_related(found, near)


def is_elsewhere(found: Signals, spoken: Mask, admitted: Mask) -> bool:
    """Whether the query names somebody who speaks, and its words match what others said better.

    Then the question is probably wrong about who it was (category 5 of LoCoMo). Statements that
    begin with a name are left out: it may be that of a thing.
    """
    named = spoken & (found.table[SIGNALS.index(Signal.ENTITY)] >= 1)
    theirs, others = found.coverage[named & admitted], found.coverage[~named & admitted]
    return bool(len(theirs) and len(others) and _best(theirs) < _best(others))


def _best(values: Values) -> float:
    """The mean of the largest few."""
    few = min(TOP, len(values))
    return float(np.partition(values, -few)[-few:].mean())
