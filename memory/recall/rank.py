"""Memories in the order in which they speak to a query. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Self

import numpy as np
import numpy.typing as npt

from ..calibration import SAFE, Calibration
from ..types import MemoryItem, Scope, Vectors
from .fuse import fuse
from .index.user_index import UserIndex
from .options import RecallOptions
from .signals import SIGNALS, Question, Signal, Signals, signals

CLEAR_PER_DECADE = 0.2
MOST_CLEAR = 0.5
"""What the best memory's cosine must be above the threshold, in shares of what lies between floor
and ceiling: for each tenfold of memories, and at the most."""
_FIRST = 1000.0
"""More than any score."""
LEAST_DATE = 0.5
"""Nearness to the time that a query names from which on it is about that memory's time."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What memories need of the signals to be worth anything.

    They look at the signals and never at the fused score, which has no meaning of its own.
    """

    cosine: float
    coverage: float
    floor: float
    """Cosine of unrelated texts: below it, not even the right time makes a memory relevant."""
    clear_cosine: float
    """What the best of all needs, or else nothing is relevant."""
    clear_coverage: float

    @classmethod
    def of(cls, options: RecallOptions, calibration: Calibration, memories: int) -> Self:
        """The configured ones, else those measured for the embedder.

        The nearest of many unrelated memories is nearer than the nearest of a few, about by the
        logarithm of their number: so is what counts as clear (`benchmarks/recall`, foreign
        questions: of 5 memories none comes above 0.35 in twenty, of 600 none above 0.50).
        """
        cosine = calibration.recall if options.threshold is None else options.threshold
        clear = cosine
        if options.threshold is None and calibration != SAFE:
            share = min(CLEAR_PER_DECADE * math.log10(max(memories, 1)), MOST_CLEAR)
            clear += share * (calibration.ceiling - calibration.floor)
        return cls(
            cosine,
            options.lexical_threshold,
            min(calibration.floor, cosine),
            clear,
            options.clear_coverage,
        )


@dataclass(frozen=True, slots=True)
class Ranked:
    """A memory with what speaks for it."""

    item: MemoryItem
    score: float
    """Fused; says nothing but the order, and with `convex` fusion how far one is behind another."""
    cosine: float
    coverage: float
    """Share of the query's words, by weight, that it holds."""
    values: tuple[float, ...]
    """Its signals, in the order of `SIGNALS`."""
    relevant: bool
    """Whether any signal passes its threshold."""
    position: int
    """Where it stands in the index."""
    words: int = 0
    """Equal for memories of the same words (`Entry.words`)."""

    @property
    def signals(self) -> dict[Signal, float]:
        """By name."""
        return dict(zip(SIGNALS, self.values, strict=True))


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best of an index for one query, best first, and how they came to be."""

    ranked: tuple[Ranked, ...]
    """Relevant ones first."""
    seen: int
    """How many memories were looked at."""
    same: Callable[[Ranked, Ranked], bool]
    """Whether one of two says nothing that the other does not."""
    signals: Signals
    scores: npt.NDArray[np.float64]
    """``float64[n]`` by position; -inf for what the scope does not admit."""


def rank(
    index: UserIndex,
    scope: Scope,
    asked: Question,
    *,
    options: RecallOptions,
    calibration: Calibration,
    now: datetime,
    most: int,
) -> Ranking:
    """The `most` best memories that the scope admits."""
    found = signals(index, asked, calibration, neighbours=options.fusion.neighbours)
    admitted = index.admitted(scope)
    scores = fuse(
        found,
        options.fusion,
        among=admitted,
        moments=index.moments,
        importance=index.importance,
        now=now.timestamp(),
    )
    scores = np.where(admitted, scores, -np.inf)
    seen = int(np.count_nonzero(admitted))
    passing = relevant(found, Thresholds.of(options, calibration, seen), admitted)
    # What only its neighbours speak for comes after all that is relevant itself.
    best = _best(scores + passing * _FIRST, min(most, seen))
    ranked = _ranked(index, found, scores, passing, best)
    vectors = index.vectors  # as they are now: the index may change before anybody compares
    return Ranking(
        ranked,
        seen,
        lambda one, other: _alike(vectors, calibration, one, other),
        found,
        scores,
    )


def relevant(
    found: Signals, thresholds: Thresholds, admitted: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """``bool[n]``: whether a memory passes with any of its own signals.

    What its neighbours give it does not count, as it would let in whatever stands beside a hit,
    but for the words around what somebody said, who may have been answering. And if no memory
    passes clearly, none does: where nothing is relevant, something is always nearest.
    """
    timely = found.table[SIGNALS.index(Signal.DATE)] >= LEAST_DATE
    timely &= found.cosine >= thresholds.floor
    passing = timely | (found.cosine >= thresholds.cosine)
    passing |= np.maximum(found.coverage, found.in_context) >= thresholds.coverage
    clear = timely | (found.cosine >= thresholds.clear_cosine)
    clear |= found.coverage >= thresholds.clear_coverage
    kept: npt.NDArray[np.bool_] = passing & bool((clear & admitted).any())
    return kept


def _best(scores: npt.NDArray[np.float64], most: int) -> npt.NDArray[np.int64]:
    """Positions of the largest, in order; of equals the later, newer one first."""
    if most <= 0:
        return np.empty(0, np.int64)
    among = (
        np.argpartition(-scores, most - 1)[:most] if most < len(scores) else np.arange(len(scores))
    )
    order = np.lexsort((-among, -scores[among]))
    return among[order][:most]


def _ranked(
    index: UserIndex,
    found: Signals,
    scores: npt.NDArray[np.float64],
    passing: npt.NDArray[np.bool_],
    best: npt.NDArray[np.int64],
) -> tuple[Ranked, ...]:
    """Those at these positions; column by column, as single numbers of an array are slow to get."""
    entries = index.entries
    columns = zip(
        best.tolist(),
        scores[best].tolist(),
        found.cosine[best].tolist(),
        found.coverage[best].tolist(),
        map(tuple, found.table[:, best].T.tolist()),
        passing[best].tolist(),
        strict=True,
    )
    return tuple(
        Ranked(entry.item, score, cosine, coverage, values, passes, at, entry.words)
        for at, score, cosine, coverage, values, passes in columns
        # Only what is alive is admitted.
        if (entry := entries[at]) is not None
    )


def _alike(vectors: Vectors, calibration: Calibration, one: Ranked, other: Ranked) -> bool:
    likeness = np.vecdot(vectors[one.position], vectors[other.position])
    return one.words == other.words and bool(likeness >= calibration.same)
