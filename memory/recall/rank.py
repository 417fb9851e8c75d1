"""Ranks the memories of an index for a query. Pure."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Self

import numpy as np
import numpy.typing as npt

from ..calibration import SAFE, Calibration
from ..types import MemoryItem, MemoryType, Scope, Vectors
from .fuse import fuse
from .index.user_index import UserIndex
from .options import RecallOptions
from .signals import SIGNALS, Question, Signal, Signals, signals

CLEAR_PER_DECADE = 0.2
MOST_CLEAR = 0.5
"""How far the best memory's cosine must be above the threshold, as shares of ceiling - floor: for
each factor of ten in the number of memories, and at most."""
ALONE = 0.2
"""`Thresholds.alone` as a share of ceiling - floor above floor."""
_FIRST = 1000.0
"""More than any score."""
LEAST_DATE = 0.5
"""Least `date` signal with which the query asks about the memory's time."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The signal values that make a memory relevant.

    Thresholds apply to signals and not to the fused score, which only orders memories.
    """

    cosine: float
    coverage: float
    floor: float
    """Cosine of unrelated texts: below it, a memory is not relevant even at the right time."""
    clear_cosine: float
    """If no memory reaches this, and none has `clear_coverage`, nothing is relevant."""
    clear_coverage: float
    alone: float
    """Least cosine if memories of one type are asked for, because the message needs nothing else.
    A word in common is needed too: texts of one language other than the model's are near."""

    @classmethod
    def of(cls, options: RecallOptions, calibration: Calibration, memories: int) -> Self:
        """The configured thresholds, or those measured for the embedder.

        The best cosine of unrelated memories grows about with the logarithm of their number, and
        `clear_cosine` grows with it (`benchmarks/recall`, foreign questions: in 19 of 20 cases no
        cosine is above 0.35 among 5 memories, and none above 0.50 among 600).
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
            calibration.floor + ALONE * (calibration.ceiling - calibration.floor),
        )


@dataclass(frozen=True, slots=True)
class Ranked:
    """A memory with its score and signals."""

    item: MemoryItem
    score: float
    """The fused score: it orders memories, and with `convex` fusion its ratios count too."""
    cosine: float
    coverage: float
    """Share of the query's words, by weight, that the memory holds."""
    values: tuple[float, ...]
    """The signals in the order of `SIGNALS`."""
    relevant: bool
    """Whether any signal passes its threshold."""
    position: int
    """Position in the index."""
    words: int = 0
    """Equal for memories of the same words (`Entry.words`)."""

    @property
    def signals(self) -> dict[Signal, float]:
        return dict(zip(SIGNALS, self.values, strict=True))


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best memories of an index for one query, and the signals behind them."""

    ranked: tuple[Ranked, ...]
    """Best first, with the relevant memories before all others."""
    seen: int
    """Number of memories that were compared."""
    same: Callable[[Ranked, Ranked], bool]
    """Whether two memories say the same."""
    signals: Signals
    scores: npt.NDArray[np.float64]
    """``float64[n]`` by position; -inf for memories that the scope does not admit."""


def rank(
    index: UserIndex,
    scope: Scope,
    asked: Question,
    *,
    options: RecallOptions,
    calibration: Calibration,
    now: datetime,
    most: int,
    only: MemoryType | None = None,
) -> Ranking:
    """The `most` best memories that the scope admits, of one type if `only` names it."""
    found = signals(index, asked, calibration, neighbours=options.fusion.neighbours)
    admitted = index.admitted(scope)
    if only is not None:
        admitted &= index.of_type(only)
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
    thresholds = Thresholds.of(options, calibration, seen)
    passing = relevant(found, thresholds, admitted)
    if only is not None:
        # Without known cosines, words must match clearly.
        coverage = thresholds.clear_coverage if calibration == SAFE else sys.float_info.min
        passing &= (found.cosine >= thresholds.alone) & (found.coverage >= coverage)
    # Relevant memories come before those that score only by their neighbours.
    best = _best(scores + passing * _FIRST, min(most, seen))
    ranked = _ranked(index, found, scores, passing, best)
    vectors = index.vectors  # bound now: the index may change before `same` is called
    return Ranking(
        ranked, seen, lambda one, other: _alike(vectors, calibration, one, other), found, scores
    )


def relevant(
    found: Signals, thresholds: Thresholds, admitted: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """``bool[n]``: whether a memory passes a threshold with one of its own signals.

    Signals from neighbours do not count, since every neighbour of a hit would pass. The exception
    is `in_context`: a spoken line may be an answer to the line before. If no memory passes clearly,
    none passes, because some memory is always the nearest.
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
    """Positions of the largest scores, in order; of equal scores the later position is first."""
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
    """The memories at these positions. Reads column by column: single array items are slow."""
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
        # Never None: only living entries are admitted.
        if (entry := entries[at]) is not None
    )


def _alike(vectors: Vectors, calibration: Calibration, one: Ranked, other: Ranked) -> bool:
    likeness = np.vecdot(vectors[one.position], vectors[other.position])
    return one.words == other.words and bool(likeness >= calibration.same)
