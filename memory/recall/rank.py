"""Ranks the memories of an index for a query. Pure."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Self

import numpy as np
import numpy.typing as npt

from ..calibration import SAFE, Calibration
from ..query import Predicate
from ..types import MemoryItem, MemoryType, Scope, Vectors
from .evidence import Grade, grade, is_elsewhere, is_timely, strengths
from .fuse import fuse
from .index.user_index import UserIndex
from .options import RecallOptions
from .signals import SIGNALS, Question, Signal, Signals, signals

ALONE = 0.2
"""Least cosine if memories of one type are asked for, because the message needs nothing else: this
share of ceiling - floor above floor."""
_FIRST = 1000.0
"""More than any score."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The signal values that make a memory relevant.

    Thresholds apply to signals and not to the fused score, which only orders memories.
    """

    cosine: float
    coverage: float
    configured: bool = False
    """Whether `cosine` is the operator's."""

    @classmethod
    def of(cls, options: RecallOptions, calibration: Calibration) -> Self:
        """The configured thresholds, or those measured for the embedder."""
        return cls(
            calibration.recall if options.threshold is None else options.threshold,
            options.lexical_threshold,
            options.threshold is not None,
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
    role: str = ""
    """Why it is chosen besides matching the query (`profile.Role`); empty if only that."""
    strength: float = 0.0
    """The evidence for it, 1 for a clear match (`evidence.strengths`)."""

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
    grade: Grade
    """How much of them is recalled."""
    evidence: float
    """For the best of them, 1 for a clear match (`evidence.strengths`)."""
    same: Callable[[Ranked, Ranked], bool]
    """Whether two memories say the same."""
    of_user_alone: bool
    """Whether the question is about the user and mentions nobody else."""
    terms: frozenset[str]
    """The index terms of the query, in all its wordings."""
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
    where: Predicate | None = None,
) -> Ranking:
    """The `most` best memories that the scope admits, of one type if `only` names it.

    With `where` those that pass it: others are not compared at all.
    """
    found = signals(index, asked, calibration, neighbours=options.fusion.neighbours)
    admitted = index.admitted(scope)
    if only is not None:
        admitted &= index.of_type(only)
    if where is not None:
        admitted = index.passing(where, admitted)
    scores = fuse(
        found,
        options.fusion,
        among=admitted,
        moments=index.moments,
        importance=index.importance,
        hearsay=index.hearsay,
        now=now.timestamp(),
        worth=index.worth,
        last_recalled=index.last_recalled,
    )
    scores = np.where(admitted, scores, -np.inf)
    seen = int(np.count_nonzero(admitted))
    thresholds = Thresholds.of(options, calibration)
    passing = relevant(found, thresholds)
    if only is not None:
        passing &= _alone(found, options, calibration)
    named = bool((admitted & (found.table[SIGNALS.index(Signal.ENTITY)] > 0)).any())
    personal = only is not None or named or asked.speaks_of_user
    strength = strengths(found, options.clear_coverage, personal=personal)
    evidence = _evidence(found, strength, passing & admitted, thresholds, personal=personal)
    given = grade(evidence, seen=seen, personal=personal, options=options)
    said = index.said & admitted
    if (
        given is not Grade.FULL
        and seen <= options.few
        and said.any()
        and only is None
        and (personal or asked.may_speak_of_user)
    ):
        passing |= said
        given = Grade.FEW
    elif given is Grade.NONE:
        passing[:] = False
    elif is_elsewhere(found, index.spoken, admitted):
        given = Grade.SMALL
    # Relevant memories come before those that score only by their neighbours.
    best = _best(scores + passing * _FIRST, min(most, seen))
    ranked = _ranked(index, found, scores, passing, strength, best)
    vectors = index.vectors  # bound now: the index may change before `same` is called
    return Ranking(
        ranked,
        seen,
        given,
        evidence,
        lambda one, other: _alike(vectors, calibration, one, other),
        not named and asked.of_user_alone,
        frozenset(term for reading in asked.readings for term in reading.terms),
        found,
        scores,
    )


def relevant(found: Signals, thresholds: Thresholds) -> npt.NDArray[np.bool_]:
    """``bool[n]``: whether a memory passes a threshold with one of its own signals.

    Signals from neighbours do not count, since every neighbour of a hit would pass. The exception
    is `in_context`: a spoken line may be an answer to the line before.
    """
    passing: npt.NDArray[np.bool_] = is_timely(found)
    passing |= _is_near(found, thresholds)
    passing |= np.maximum(found.coverage, found.in_context) >= thresholds.coverage
    return passing


def _alone(
    found: Signals, options: RecallOptions, calibration: Calibration
) -> npt.NDArray[np.bool_]:
    """``bool[n]``: near enough for a message that needs nothing else.

    A word in common is needed too, and a clear match of words if no cosines are known.
    """
    nearest = calibration.floor + ALONE * (calibration.ceiling - calibration.floor)
    coverage = options.clear_coverage if calibration == SAFE else sys.float_info.min
    near: npt.NDArray[np.bool_] = (found.cosine >= nearest) & (found.coverage >= coverage)
    return near


def _is_near(found: Signals, thresholds: Thresholds) -> npt.NDArray[np.bool_]:
    """``bool[n]``: near enough in meaning, by the configured threshold or the language's own."""
    near: npt.NDArray[np.bool_] = found.cosine >= thresholds.cosine
    return near if thresholds.configured else near & (found.cosine >= found.meaning.floor)


def _evidence(
    found: Signals,
    strength: npt.NDArray[np.float64],
    passing: npt.NDArray[np.bool_],
    thresholds: Thresholds,
    *,
    personal: bool,
) -> float:
    """The evidence for the best memory.

    A memory of the right time is a clear match for a query that speaks of somebody: others have
    times in them that are nobody's ("why do bees swarm in spring"). So is one above a threshold
    that somebody has configured.
    """
    sure = is_timely(found) & personal
    if thresholds.configured:
        sure |= found.cosine >= thresholds.cosine
    return float(np.max(np.where(sure, np.inf, strength), initial=0.0, where=passing))


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
    strength: npt.NDArray[np.float64],
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
        strength[best].tolist(),
        strict=True,
    )
    return tuple(
        Ranked(entry.item, score, cosine, coverage, values, passes, at, entry.words, strength=clear)
        for at, score, cosine, coverage, values, passes, clear in columns
        # Never None: only living entries are admitted.
        if (entry := entries[at]) is not None
    )


def _alike(vectors: Vectors, calibration: Calibration, one: Ranked, other: Ranked) -> bool:
    """Whether two memories say the same: one text, or the same words with near vectors."""
    if one.item.text == other.item.text:
        return True  # also for an embedder of which nothing is known
    likeness = np.vecdot(vectors[one.position], vectors[other.position])
    return one.words == other.words and bool(likeness >= calibration.same)
