"""Ranks the memories of an index for a query. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..calibration import SAFE, AnswerWeights, Calibration
from ..model.types import MemoryItem, MemoryType, Scope
from ..query import Predicate
from . import evidence
from .below import below_cited
from .connecting import Scored, connected, needs_more
from .expansion import SEEDS, Edge, spelled
from .fuse import fuse, leaning
from .index.columns import VectorRows
from .index.user_index import UserIndex
from .options import ExpandHops, RecallOptions
from .prototypes import MessageMeaning
from .signals import SIGNALS, AnalysedQuery, Signal, Signals, signals_of
from .tuning import Tuning

ALONE = 0.2
"""Least nearness (in spreads) if memories of one type are asked for, because the message needs
nothing else."""
CLEAR = 0.4
"""Least coverage of those for an embedder of which nothing is known."""
STEP_RIGHT = 0.4
"""How likely what a surely right hit surely leads to is right too."""
_FIRST = 1000.0
"""More than any score."""


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
    """The probability that something stored answers, as far as this memory tells."""
    right: float = 0.0
    """The probability that it is a right answer, never more than that of a better hit, unless it
    stands where it does because a better one leads to it."""
    feedback: float = 0.0
    """The part of the score that people's words about it added, or took if it is below 0."""
    step: LedBy | None = None
    """How a better hit leads to it, if one does."""

    @property
    def signals(self) -> dict[Signal, float]:
        return dict(zip(SIGNALS, self.values, strict=True))


class LedBy(NamedTuple):
    """How a hit leads to a memory."""

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


def is_led_to(hit: Ranked) -> bool:
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
    """The probability that something stored answers, from 0 to 1: that of the best memory."""
    same: Callable[[Ranked, Ranked], bool]
    """Whether two memories say the same."""
    personal: bool
    """Whether the answer depends on who asks."""
    terms: frozenset[str]
    """The index terms of the query, in all its wordings."""
    signals: Signals
    scores: npt.NDArray[np.float64]
    """``float64[n]`` by position; -inf for memories that the scope does not admit."""
    judged: bool = False
    """Whether people spoke of any memory of the index."""
    leads: tuple[str, ...] = ()
    """The ids of the best hits, if the question needs what they lead to and no text shows it."""

    @property
    def as_unjudged(self) -> tuple[Ranked, ...] | None:
        """The same hits as if nobody had spoken of any memory; None if nobody has."""
        if not self.judged:
            return None
        plain = [h._replace(score=h.score - h.feedback, feedback=0.0) for h in self.ranked]
        return tuple(sorted(plain, key=lambda hit: (not hit.relevant, -hit.score)))


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
    tuning: Tuning | None = None,
    hops: ExpandHops = 0,
    given: Iterable[Edge] = (),
) -> Ranking:
    """The `most` best memories that the scope admits, of one type if `only` names it.

    With `where` those that pass it: others are not compared at all. `whole` is whether the index
    holds all memories of the scope, or only those that a store found. `meant` is what the query
    means; whether it depends on who asks, words tell too. `tuning` orders them, by default that of
    the options. With `hops` the best hits lead to others, also by the edges `given`.
    """
    tuning = tuning or options.tuning
    found = signals_of(index, asked, calibration, neighbours=tuning.neighbours)
    admitted = _admitted(index, scope, only, where)
    scores, moved = _scores(index, found, admitted, tuning, now)
    seen = int(np.count_nonzero(admitted))
    named = bool((admitted & (found.table[SIGNALS.index(Signal.ENTITY)] > 0)).any())
    meant = meant or MessageMeaning()
    personal = meant.personal or only is not None or named or asked.speaks_of_user
    usual = evidence.usual(found, admitted if whole else None, calibration)
    near = evidence.nearness(found, usual, calibration)
    weighed = weigh(
        found,
        near,
        admitted,
        options,
        calibration.weights.answers,
        personal=personal,
        elsewhere=evidence.is_elsewhere(found, index.spoken, admitted),
        depends=meant.depends,
    )
    passing = weighed.passing
    if only is not None:
        passing = passing & _alone(found, near, calibration)
    among = admitted if only is None else admitted & passing
    best_evidence = float(np.max(weighed.evidence, initial=0.0, where=among))
    scored = Scored(found, scores, weighed.odds, weighed.evidence, passing)
    terms = frozenset(term for reading in asked.readings for term in reading.terms)
    leads_on = only is None and _leads_on(scored, hops, asked, index)
    if leads_on:
        scored = connected(index, scored, tuning, asked=terms, personal=personal, given=given)
    # Relevant memories come before those that score only by their neighbours.
    best = _best(scored.scores + scored.passing * _FIRST, min(most, seen))
    alone = best if scored.matching is None else _best(scores + passing * _FIRST, min(most, seen))
    # How sure an answer is does not hang on what people said of it, nor on what it leads to.
    plain = scores[alone] if moved is None else scores[alone] - moved[alone]
    right = evidence.scores(weighed.odds[alone], plain, calibration.weights.right)
    by_itself = dict(zip(alone.tolist(), right.tolist(), strict=True))
    ranked = _ranked(index, scored, moved, best, _with_steps(scored, best, by_itself))
    led_to = {hit.item.id: hit.step.seed for hit in ranked if hit.step and hit.step.alone}
    ranked = tuple(below_cited(ranked, led_to))
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
        judged=moved is not None,
        # A second pass with the graph doubles the cost, so what the texts show is enough.
        leads=tuple(_leading(ranked)) if leads_on and not scored.edges else (),
    )


def _leading(ranked: Iterable[Ranked]) -> Iterator[str]:
    """The ids of the best hits that match by themselves."""
    matching = (hit.item.id for hit in ranked if hit.relevant and not is_led_to(hit))
    return islice(matching, SEEDS)


def _leads_on(scored: Scored, hops: ExpandHops, asked: AnalysedQuery, index: UserIndex) -> bool:
    """Whether the hits lead to others: as it is wanted, or as the question needs it."""
    if hops != "auto":
        return hops > 0
    return needs_more(scored, len(asked.readings[0].terms), index.spoken)


def _admitted(
    index: UserIndex, scope: Scope, only: MemoryType | None, where: Predicate | None
) -> npt.NDArray[np.bool_]:
    """``bool[n]``: what may be ranked at all."""
    admitted = index.admitted(scope)
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
    if not index.standing.any():
        return np.where(admitted, plain, -np.inf), None
    moved = plain * leaning(tuning, index.standing)
    return np.where(admitted, plain + moved, -np.inf), moved


@dataclass(frozen=True, slots=True)
class Weighed:
    """What n memories are as evidence."""

    odds: npt.NDArray[np.float64]
    """``float64[n]``: log odds that something stored answers."""
    evidence: npt.NDArray[np.float64]
    """``float64[n]``: the probability, and 1 for what the operator or the time makes sure."""
    passing: npt.NDArray[np.bool_]
    """``bool[n]``: evidence enough to be recalled; none is if the best of them is not."""


def weigh(
    found: Signals,
    near: npt.NDArray[np.float64],
    admitted: npt.NDArray[np.bool_],
    options: RecallOptions,
    weights: AnswerWeights,
    *,
    personal: bool,
    elsewhere: bool,
    depends: float = 0.0,
) -> Weighed:
    """Weigh all memories as evidence; for the arguments see `evidence.told`."""
    table = evidence.told(
        found, near, admitted, personal=personal, elsewhere=elsewhere, depends=depends
    )
    odds = evidence.log_odds(table, weights)
    related = evidence.is_related(found, near)
    probable = np.where(related, evidence.probability(odds), 0.0)
    if personal:
        timely = evidence.is_timely(found, near)
        probable = np.where(timely, np.maximum(probable, evidence.TIMELY), probable)
    if options.threshold is not None:
        reaches = found.cosine >= options.threshold
        probable = np.where(reaches, 1.0, np.where(found.coverage > 0, probable, 0.0))
    least = options.evidence if personal else max(options.evidence, options.tuning.clear)
    if options.evidence == 0:
        passing = np.ones_like(admitted)
    elif np.max(probable, initial=0.0, where=admitted) < least:
        passing = np.zeros_like(admitted)
    else:
        beside = _beside_best(found, odds, related, admitted, personal=personal)
        if options.threshold is not None:
            beside &= probable > 0
        # A time or a threshold makes sure of what signals alone do not.
        passing = beside | (probable >= least)
    return Weighed(odds, probable, passing)


def _beside_best(
    found: Signals,
    odds: npt.NDArray[np.float64],
    related: npt.NDArray[np.bool_],
    admitted: npt.NDArray[np.bool_],
    *,
    personal: bool,
) -> npt.NDArray[np.bool_]:
    """``bool[n]``: recalled beside the best: near to it in evidence, or in what a speaker says."""
    beside: npt.NDArray[np.bool_] = found.in_context >= evidence.IN_CONTEXT
    if personal:
        best = np.max(odds, initial=-np.inf, where=admitted)
        beside |= related & (odds >= best - evidence.BEHIND)
    return beside


def _alone(
    found: Signals, near: npt.NDArray[np.float64], calibration: Calibration
) -> npt.NDArray[np.bool_]:
    """``bool[n]``: near enough for a message that needs nothing else.

    A word in common is needed too, and a clear match of words if no cosines are known.
    """
    words = found.coverage >= CLEAR if calibration == SAFE else found.coverage > 0
    alone: npt.NDArray[np.bool_] = (near >= ALONE) & words
    return alone


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
    scored: Scored,
    moved: npt.NDArray[np.float64] | None,
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
        strict=True,
    )
    steps = {at: _step(index, edge, scored) for at, edge in scored.edges.items()}
    return tuple(
        Ranked(
            entry.item, score, cosine, coverage, values, passes, at, entry.words,
            evidence=tells, right=likely, feedback=part, step=steps.get(at),
        )
        for at, score, cosine, coverage, values, passes, tells, likely, part in columns
        # Never None: only living entries are admitted.
        if (entry := entries[at]) is not None
    )  # fmt: skip


def _with_steps(
    scored: Scored, best: npt.NDArray[np.int64], alone: Mapping[int, float]
) -> list[float]:
    """How likely each of the best is right; `alone` has what each is by itself.

    What is led to is less likely right than what leads to it.
    """
    right = dict(alone)
    # An edge of the second step comes after that of the first, which leads to it.
    for at, edge in scored.edges.items():
        if scored.matching is not None and not scored.matching[at]:
            led = STEP_RIGHT * edge.value * right.get(edge.seed, 0.0)
            right[at] = max(right.get(at, 0.0), led)
    return [right.get(at, 0.0) for at in best.tolist()]


def _step(index: UserIndex, edge: Edge, scored: Scored) -> LedBy | None:
    seed = index.entries[edge.seed]
    if seed is None:
        return None
    by_itself = scored.matching is not None and bool(scored.matching[edge.position])
    by = spelled(edge.by, seed.item.text)
    return LedBy(seed.item.id, by, edge.relation, edge.value, alone=not by_itself)


def _alike(vectors: VectorRows, calibration: Calibration, one: Ranked, other: Ranked) -> bool:
    """Whether two memories say the same: one text, or the same words with near vectors."""
    if one.item.text == other.item.text:
        return True  # also for an embedder of which nothing is known
    if one.words != other.words:
        return False
    return vectors.likeness(one.position, other.position) >= calibration.same
