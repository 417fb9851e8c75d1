"""Ranks the memories of an index for a query. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import Any, NamedTuple, Unpack

import numpy as np
import numpy.typing as npt

from ..calibration import Calibration
from ..model.types import MemoryItem, Scope
from .derived_hits import behind_evidence
from .expansion import SEEDS, Edge, spelled
from .hit_evidence import best_of
from .hop_scores import Scored, connected
from .index.columns import VectorRows
from .index.entry import Entry
from .index.user_index import UserIndex
from .signals import SIGNALS, AnalysedQuery, Signal, Signals
from .weighing import HowWeighed, Weighing, weighing_of

STEP_RIGHT = 0.8
"""How likely what a surely right hit surely leads to is right too."""
_FIRST = 1000.0
"""More than any score."""
Ints = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]


class Ranked(NamedTuple):
    """A memory with its score and signals. A recall makes about a hundred of them."""

    item: MemoryItem
    score: float
    """The fused score: it orders memories, and its ratios count too."""
    cosine: float
    coverage: float
    """Share of the query's words, by weight, that the memory holds."""
    values: tuple[float, ...]
    """The signals in the order of `SIGNALS`."""
    relevant: bool
    """Whether it is evidence enough to be recalled beside the best."""
    position: int
    """Position in the index."""
    words: int = 0
    """Equal for memories of the same words (`Entry.words`)."""
    role: str = ""
    """Why it is chosen besides matching the query (`pinned.Role`); empty if only that."""
    evidence: float = 0.0
    """The probability that it bears on the message."""
    right: float = 0.0
    """The same, but never more than that of a better hit, unless it stands where it does because a
    better one leads to it."""
    feedback: float = 0.0
    """The part of the score that people's words about it added, or took if it is below 0."""
    theme: float = 0.0
    """The part that it has for being of the question's theme."""
    step: Expansion | None = None
    """How a better hit leads to it, if one does."""

    @property
    def signals(self) -> dict[Signal, float]:
        return dict(zip(SIGNALS, self.values, strict=True))


class Expansion(NamedTuple):
    """The way from a hit to a memory that it leads to."""

    seed: str
    """The id of the hit."""
    by: str
    """The name or word that both have, as the hit has it."""
    relation: str
    """The relation, if a graph knows it."""
    value: float
    """How much it tells, 0 to 1."""
    alone: bool
    """Whether it is recalled for this reason alone."""


unmatched = partial(
    Ranked, score=0.0, cosine=0.0, coverage=0.0, values=(0.0,) * len(SIGNALS), relevant=True
)
"""A memory that is shown for another reason (`role`) than matching the query."""


def is_expanded(hit: Ranked) -> bool:
    """Whether it is recalled only because a better hit leads to it."""
    return hit.step is not None and hit.step.alone


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best memories of an index for one query, and the signals behind them."""

    ranked: tuple[Ranked, ...]
    """Best first, with the relevant memories before all others."""
    seen: int
    """Number of memories that were compared."""
    evidence: float
    """The probability that anything stored bears on the message: that of the best memory."""
    same: Callable[[Ranked, Ranked], bool]
    """Whether two memories say the same."""
    personal: bool
    """Whether the answer depends on who asks."""
    terms: frozenset[str]
    """The index terms of the query, in all its wordings."""
    signals: Signals
    scores: npt.NDArray[np.float64]
    """``float64[n]`` by position; -inf for memories that the scope does not admit."""

    @property
    def at(self) -> Ints:
        """The positions of `ranked`."""
        return np.array([hit.position for hit in self.ranked], np.int64)


def rank(
    index: UserIndex,
    scope: Scope,
    asked: AnalysedQuery,
    *,
    calibration: Calibration,
    most: int,
    given: Iterable[Edge] = (),
    **how: Unpack[HowWeighed],
) -> Ranking:
    """The `most` best memories that the scope admits, of one type if `only` names it.

    With `where` those that pass it: others are not compared at all. `whole` is whether the index
    holds all memories of the scope, or only those that a store found. `meant` is what the query
    means; whether it depends on who asks, words tell too. `background` tells what is usual; without
    it, the calibration does. What is `sought` in the memories themselves is about the user, however
    it is worded. `tuning` orders them, by default that of the options. With `hops` the best hits
    lead to others, also by the edges `given`. Without `untold` nothing is compared that was asked
    or handed over. `tells` is whether the query only tells; it is called if anything is compared.
    """
    weighing = weighing_of(index, scope, asked, calibration=calibration, most=most, **how)
    return ranking_of(index, weighing, order_of(index, weighing, most, given), calibration)


@dataclass(frozen=True, slots=True)
class Order:
    """The best memories of a weighing, with what they lead to."""

    scored: Scored
    at: Ints
    """Their positions, best first."""
    right: Values
    """``float64[len(at)]``: how likely each is right."""


def order_of(index: UserIndex, weighing: Weighing, most: int, given: Iterable[Edge] = ()) -> Order:
    """The `most` best; `given` are edges that a graph knows."""
    before = scored = weighing.scored
    if weighing.leads_on:
        scored = connected(
            index,
            scored,
            weighing.tuning,
            asked=weighing.terms,
            personal=weighing.personal,
            given=given,
        )
    most = min(most, weighing.seen)
    best = alone = _best(scored, most)
    if scored.matching is not None:
        alone = _best(before, most)
    right = _right(scored, alone)
    at = _behind_evidence(index, scored, best)
    return Order(scored, at, right[at])


def _best(scored: Scored, most: int) -> Ints:
    """Relevant memories come before those that score only by their neighbours."""
    return best_of(scored.scores + scored.passing * _FIRST, most)


def leads_of(index: UserIndex, weighing: Weighing, order: Order) -> tuple[str, ...]:
    """The ids of the best hits, if the question needs what they lead to and no text shows it."""
    if not weighing.leads_on or order.scored.edges:
        return ()
    matching = order.at[order.scored.passing[order.at]][:SEEDS]
    return tuple(entry.item.id for entry in _entries(index, matching))


def ranking_of(
    index: UserIndex, weighing: Weighing, order: Order, calibration: Calibration
) -> Ranking:
    """The memories in this order."""
    vectors = index.vectors  # bound now: the index may change before `same` is called
    return Ranking(
        _ranked(index, weighing, order),
        weighing.seen,
        weighing.evidence,
        lambda one, other: _alike(vectors, calibration, one, other),
        weighing.personal,
        weighing.terms,
        order.scored.signals,
        order.scored.scores,
    )


def _entries(index: UserIndex, at: Ints) -> list[Entry]:
    """Those at these positions, of which none is None: only living entries are admitted."""
    entries = index.entries
    return [entry for p in at.tolist() if (entry := entries[p]) is not None]


def _ranked(index: UserIndex, weighing: Weighing, order: Order) -> tuple[Ranked, ...]:
    """The memories at these positions, column by column: single array items are slow."""
    at, scored = order.at, order.scored
    found, entries = scored.signals, _entries(index, at)
    positions = at.tolist()
    steps = {p: _step(index, edge, scored) for p, edge in scored.edges.items()}
    rows = zip(
        [entry.item for entry in entries],
        scored.scores[at].tolist(),
        found.cosine[at].tolist(),
        found.coverage[at].tolist(),
        map(tuple, found.table[:, at].T.tolist()),
        scored.passing[at].tolist(),
        positions,
        [entry.words for entry in entries],
        repeat(""),
        scored.evidence[at].tolist(),
        order.right.tolist(),
        repeat(0.0) if weighing.moved is None else weighing.moved[at].tolist(),
        weighing.themed[at].tolist(),
        [steps.get(p) for p in positions] if steps else repeat(None),
    )
    # As `Ranked._make`, without three calls for each.
    made: Callable[[tuple[Any, ...]], Ranked] = partial(tuple.__new__, Ranked)
    return tuple(map(made, rows))


def _behind_evidence(index: UserIndex, scored: Scored, best: Ints) -> Ints:
    """The best in their order, but each behind what it cites, and behind what leads to it."""
    expanded_from = {
        at: edge.seed for at, edge in scored.edges.items() if not _is_matching(scored, at)
    }
    if not expanded_from and not index.derived[best].any():
        return best
    entries = _entries(index, best)
    places = {entry.item.id: at for entry, at in zip(entries, best.tolist(), strict=True)}
    names = {at: name for name, at in places.items()}
    leading = {
        names[at]: entry.item.id
        for at, seed in expanded_from.items()
        if at in names and (entry := index.entries[seed]) is not None
    }
    return np.array([places[one.item.id] for one in behind_evidence(entries, leading)], np.int64)


def _is_matching(scored: Scored, at: int) -> bool:
    """Whether it keeps its place as it matches by itself."""
    return scored.matching is not None and bool(scored.matching[at])


def _right(scored: Scored, alone: Ints) -> Values:
    """``float64[n]``: how likely each is right; `alone` are the best by themselves, in order.

    How sure an answer is does not hang on what people said of it, nor on what it leads to. What is
    led to is less likely right than what leads to it.
    """
    right = np.zeros(len(scored.scores))
    right[alone] = np.minimum.accumulate(scored.evidence[alone])
    # An edge of the second step comes after that of the first, which leads to it.
    for at, edge in scored.edges.items():
        if scored.matching is not None and not scored.matching[at]:
            right[at] = max(right[at], STEP_RIGHT * edge.value * right[edge.seed])
    return right


def _step(index: UserIndex, edge: Edge, scored: Scored) -> Expansion | None:
    seed = index.entries[edge.seed]
    if seed is None:
        return None
    by_itself = _is_matching(scored, edge.position)
    by = spelled(edge.by, seed.item.text)
    return Expansion(seed.item.id, by, edge.relation, edge.value, alone=not by_itself)


def _alike(vectors: VectorRows, calibration: Calibration, one: Ranked, other: Ranked) -> bool:
    """Whether two memories say the same: one text, or the same words with near vectors."""
    if one.item.text == other.item.text:
        return True  # also for an embedder of which nothing is known
    if one.words != other.words:
        return False
    return vectors.likeness(one.position, other.position) >= calibration.same
