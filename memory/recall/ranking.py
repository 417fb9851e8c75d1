"""Ranks the memories of an index for a query. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..calibration import SAFE, Calibration
from ..model.types import MemoryItem, MemoryType, Scope
from ..query import Predicate
from . import evidence
from .baseline import NO_THEME, SimilarityBaseline
from .constants import Tuning
from .derived_hits import behind_evidence
from .expansion import SEEDS, Edge, spelled
from .hit_evidence import MOST_ASKED, best_of, candidates_of, less_odds, passing, repeats, weigh
from .hop_scores import Scored, connected, needs_more
from .index.columns import VectorRows
from .index.user_index import UserIndex
from .options import ExpandHops, RecallOptions
from .prototypes import MessageMeaning
from .score_fusion import feedback_share, fuse
from .signals import SIGNALS, AnalysedQuery, Signal, Signals, signals_of

ALONE = 0.2
"""Least nearness (in spreads) if memories of one type are asked for, because the message needs
nothing else."""
CLEAR = 0.4
"""Least coverage of those for an embedder of which nothing is known."""
THEME = 0.14
"""Share of the best score that a memory gains with each unit of lift (`usual.Themes`), if the
question speaks of the user. Fitted to the order of lines; others' questions lose by it."""
STEP_RIGHT = 0.8
"""How likely what a surely right hit surely leads to is right too."""
_FIRST = 1000.0
"""More than any score."""
Ints = npt.NDArray[np.int64]


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
    leads: tuple[str, ...] = ()
    """The ids of the best hits, if the question needs what they lead to and no text shows it."""


def rank(
    index: UserIndex,
    scope: Scope,
    asked: AnalysedQuery,
    *,
    options: RecallOptions,
    calibration: Calibration,
    now: datetime,
    most: int,
    only: MemoryType | None = None,
    where: Predicate | None = None,
    whole: bool = True,
    meant: MessageMeaning | None = None,
    background: SimilarityBaseline | None = None,
    sought: bool = False,
    tuning: Tuning | None = None,
    hops: ExpandHops = 0,
    given: Iterable[Edge] = (),
    untold: bool = True,
) -> Ranking:
    """The `most` best memories that the scope admits, of one type if `only` names it.

    With `where` those that pass it: others are not compared at all. `whole` is whether the index
    holds all memories of the scope, or only those that a store found. `meant` is what the query
    means; whether it depends on who asks, words tell too. `background` tells what is usual; without
    it, the calibration does. What is `sought` in the memories themselves is about the user, however
    it is worded. `tuning` orders them, by default that of the options. With `hops` the best hits
    lead to others, also by the edges `given`. Without `untold` nothing is compared that was asked
    or handed over.
    """
    tuning = tuning or options.tuning
    found = signals_of(index, asked, calibration, neighbours=tuning.neighbours)
    admitted = _admitted(index, scope, only, where, untold=untold)
    scores, moved = _scores(index, found, admitted, tuning, now)
    seen = int(np.count_nonzero(admitted))
    named = bool((admitted & (found.table[SIGNALS.index(Signal.ENTITY)] > 0)).any())
    meant = meant or MessageMeaning()
    words = asked.speaks_of_user and not meant.anybodys
    personal = sought or meant.personal or only is not None or named or words
    depends = max(meant.depends, 0.0) if sought else meant.depends
    at = candidates_of(index, scores, found.cosine, admitted, most if sought else options.limit)
    nearness = evidence.near(found, at, calibration)
    if background is None or not whole or not len(at):
        related = evidence.guessed(nearness)
    else:
        related = _usual(index, asked, at, background)
    table = evidence.told(found, at, nearness, related, personal=personal, depends=depends)
    themed = np.zeros_like(scores)
    if asked.speaks_of_user and len(at):
        themed[at] = THEME * max(float(np.max(scores)), 0.0) * (related.theme - NO_THEME)
        scores = scores + themed
    terms = frozenset(term for reading in asked.readings for term in reading.terms)
    odds = np.full(len(scores), -np.inf)
    of_user = words or (meant.personal and not named)
    less = less_odds(index, at, asked, terms, sought=sought, of_user=of_user)
    odds[at] = evidence.log_odds(table, calibration.weights) - less
    rivals = _rivals(index, admitted, at, terms)
    weighed = weigh(found, odds, rivals, options, personal=personal)
    passes = passing(index, weighed, most_asked=most if sought else MOST_ASKED)
    if only is not None:
        passes = passes & _alone(found, calibration)
    among = admitted if only is None else admitted & passes
    best_evidence = float(np.max(weighed.evidence, initial=0.0, where=among))
    scored = Scored(found, scores, weighed.odds, weighed.evidence, passes)
    leads_on = only is None and _leads_on(scored, hops, asked, index)
    if leads_on:
        scored = connected(index, scored, tuning, asked=terms, personal=personal, given=given)
    # Relevant memories come before those that score only by their neighbours.
    best = best_of(scored.scores + scored.passing * _FIRST, min(most, seen))
    alone = best if scored.matching is None else best_of(scores + passes * _FIRST, min(most, seen))
    ranked = _ranked(index, scored, moved, themed, best, _right(scored, best, alone))
    vectors = index.vectors  # bound now: the index may change before `same` is called
    return Ranking(
        ranked,
        seen,
        best_evidence,
        lambda one, other: _alike(vectors, calibration, one, other),
        personal,
        terms,
        scored.signals,
        scored.scores,
        # A second pass with the graph doubles the cost, so what the texts show is enough.
        leads=tuple(_leading(ranked)) if leads_on and not scored.edges else (),
    )


def _usual(
    index: UserIndex, asked: AnalysedQuery, at: Ints, background: SimilarityBaseline
) -> evidence.Nearness:
    """How near the memories at these positions are beside what is usual."""
    rows = index.vectors.rows
    known = index.usual.of(background, at, lambda new: background.of_lines(rows(new)))
    return evidence.Nearness(*background.nearness(asked.vectors, rows(at), known))


def _rivals(
    index: UserIndex, admitted: npt.NDArray[np.bool_], at: Ints, terms: frozenset[str]
) -> npt.NDArray[np.bool_]:
    """``bool[n]``: what others are weighed against: what was told and does not repeat the query."""
    rivals: npt.NDArray[np.bool_] = admitted & (index.untold == 0)
    rivals[[p for p in at.tolist() if repeats(index, p, terms)]] = False
    return rivals


def _leading(ranked: Iterable[Ranked]) -> Iterator[str]:
    """The ids of the best hits that match by themselves."""
    matching = (hit.item.id for hit in ranked if hit.relevant and not is_expanded(hit))
    return islice(matching, SEEDS)


def _leads_on(scored: Scored, hops: ExpandHops, asked: AnalysedQuery, index: UserIndex) -> bool:
    """Whether the hits lead to others: as it is wanted, or as the question needs it."""
    if hops != "auto":
        return hops > 0
    return needs_more(scored, len(asked.readings[0].terms), index)


def _admitted(
    index: UserIndex,
    scope: Scope,
    only: MemoryType | None,
    where: Predicate | None,
    *,
    untold: bool,
) -> npt.NDArray[np.bool_]:
    """``bool[n]``: what may be ranked at all."""
    admitted = index.admitted(scope)
    if not untold:
        admitted = admitted & (index.untold == 0)
    if only is not None:
        admitted = admitted & index.of_type(only)
    return admitted if where is None else index.passing(where, admitted)


def _scores(
    index: UserIndex,
    found: Signals,
    admitted: npt.NDArray[np.bool_],
    tuning: Tuning,
    now: datetime,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64] | None]:
    """``float64[n]``: the fused scores, -inf for what is not admitted; what feedback did to each.

    None for the second if nobody spoke of any memory.
    """
    plain = fuse(
        found,
        tuning,
        moments=index.moments,
        importance=index.importance,
        hearsay=index.hearsay,
        now=now.timestamp(),
    )
    if not index.rating.any():
        return np.where(admitted, plain, -np.inf), None
    moved = plain * feedback_share(tuning, index.rating)
    return np.where(admitted, plain + moved, -np.inf), moved


def _alone(found: Signals, calibration: Calibration) -> npt.NDArray[np.bool_]:
    """``bool[n]``: near enough for a message that needs nothing else.

    A word in common is needed too, and a clear match of words if no cosines are known.
    """
    words = found.coverage >= CLEAR if calibration == SAFE else found.coverage > 0
    spreads = (found.cosine - calibration.floor) / calibration.spread
    alone: npt.NDArray[np.bool_] = (spreads * found.meaning.worth >= ALONE) & words
    return alone


def _ranked(
    index: UserIndex,
    scored: Scored,
    moved: npt.NDArray[np.float64] | None,
    themed: npt.NDArray[np.float64],
    best: npt.NDArray[np.int64],
    right: Sequence[float],
) -> tuple[Ranked, ...]:
    """The memories at these positions. Reads column by column: single array items are slow."""
    entries, found = index.entries, scored.signals
    scores = scored.scores[best]
    moved = np.zeros_like(scores) if moved is None else moved[best]
    columns = zip(
        best.tolist(),
        scores.tolist(),
        found.cosine[best].tolist(),
        found.coverage[best].tolist(),
        map(tuple, found.table[:, best].T.tolist()),
        scored.passing[best].tolist(),
        scored.evidence[best].tolist(),
        right,
        moved.tolist(),
        themed[best].tolist(),
        strict=True,
    )
    steps = {at: _step(index, edge, scored) for at, edge in scored.edges.items()}
    hits = [
        Ranked(
            entry.item, score, cosine, coverage, values, passes, at, entry.words,
            evidence=tells, right=likely, feedback=part, theme=gain, step=steps.get(at),
        )
        for at, score, cosine, coverage, values, passes, tells, likely, part, gain in columns
        # Never None: only living entries are admitted.
        if (entry := entries[at]) is not None
    ]  # fmt: skip
    expanded_from = {hit.item.id: hit.step.seed for hit in hits if hit.step and hit.step.alone}
    return tuple(behind_evidence(hits, expanded_from))


def _right(scored: Scored, best: Ints, alone: Ints) -> list[float]:
    """How likely each of the best is right; `alone` are the best by themselves, in order.

    How sure an answer is does not hang on what people said of it, nor on what it leads to. What is
    led to is less likely right than what leads to it.
    """
    falling = np.minimum.accumulate(scored.evidence[alone])
    right: dict[int, float] = dict(zip(alone.tolist(), falling.tolist(), strict=True))
    # An edge of the second step comes after that of the first, which leads to it.
    for at, edge in scored.edges.items():
        if scored.matching is not None and not scored.matching[at]:
            led = STEP_RIGHT * edge.value * right.get(edge.seed, 0.0)
            right[at] = max(right.get(at, 0.0), led)
    return [right.get(at, 0.0) for at in best.tolist()]


def _step(index: UserIndex, edge: Edge, scored: Scored) -> Expansion | None:
    seed = index.entries[edge.seed]
    if seed is None:
        return None
    by_itself = scored.matching is not None and bool(scored.matching[edge.position])
    by = spelled(edge.by, seed.item.text)
    return Expansion(seed.item.id, by, edge.relation, edge.value, alone=not by_itself)


def _alike(vectors: VectorRows, calibration: Calibration, one: Ranked, other: Ranked) -> bool:
    """Whether two memories say the same: one text, or the same words with near vectors."""
    if one.item.text == other.item.text:
        return True  # also for an embedder of which nothing is known
    if one.words != other.words:
        return False
    return vectors.likeness(one.position, other.position) >= calibration.same
