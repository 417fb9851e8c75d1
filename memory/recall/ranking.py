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

from ..calibration import SAFE, Calibration
from ..language.words import is_question
from ..model.types import MemoryItem, MemoryType, Scope, Source
from ..query import Predicate
from . import evidence
from .below import below_cited
from .connecting import Scored, connected, needs_more
from .expansion import SEEDS, Edge, spelled
from .fuse import fuse, leaning
from .index.columns import VectorRows
from .index.entry import MATERIAL
from .index.user_index import UserIndex
from .options import ExpandHops, RecallOptions
from .prototypes import MessageMeaning
from .signals import SIGNALS, AnalysedQuery, Signal, Signals, signals_of
from .tuning import Tuning
from .usual import NO_THEME, Backdrop

ALONE = 0.2
"""Least nearness (in spreads) if memories of one type are asked for, because the message needs
nothing else."""
CLEAR = 0.4
"""Least coverage of those for an embedder of which nothing is known."""
BEHIND, SURE = 3.0, 2.0
"""Log odds behind the best from which a memory is not recalled beside it, unless it has so many:
"User moved to Madrid" answers where one lives, however well "Ana lives in Porto" has the words."""
THEME = 0.14
"""Share of the best score that a memory gains with each unit of lift (`usual.Themes`), if the
question speaks of the user. Fitted to the order of lines; others' questions lose by it."""
LEAST_DATE, TIMELY = 0.5, 0.6
"""Least `date` signal of a memory of the time that a personal message asks about, and how probable
it is at least that it bears on it, whatever its words are."""
_TIME = SIGNALS.index(Signal.DATE)
STEP_RIGHT = 0.8
"""How likely what a surely right hit surely leads to is right too."""
UNTOLD = np.array((0.0, 2.0, 1.0, 6.5))
"""By `Entry.untold`, how much less the log odds are that it bears on a message: likeness of a
question to a question is no evidence."""
MATERIAL_OF_USER = 7.0
"""The same of material, for a message that asks of the user."""
LEAST_UNTOLD = 0.5
"""Least probability of what nobody told, also where there is no threshold."""
LIKE = 0.4
"""Share of their words that a question has in common with an earlier one if it asks the same."""
MUCH_SAID = 4
"""Words of what adds nothing to a message that has them all."""
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
    """The probability that it bears on the message."""
    right: float = 0.0
    """The same, but never more than that of a better hit, unless it stands where it does because a
    better one leads to it."""
    feedback: float = 0.0
    """The part of the score that people's words about it added, or took if it is below 0."""
    theme: float = 0.0
    """The part that it has for being of the question's theme."""
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
    background: Backdrop | None = None,
    sought: bool = False,
    tuning: Tuning | None = None,
    hops: ExpandHops = 0,
    given: Iterable[Edge] = (),
) -> Ranking:
    """The `most` best memories that the scope admits, of one type if `only` names it.

    With `where` those that pass it: others are not compared at all. `whole` is whether the index
    holds all memories of the scope, or only those that a store found. `meant` is what the query
    means; whether it depends on who asks, words tell too. `background` tells what is usual; without
    it, the calibration does. What is `sought` in the memories themselves is about the user, however
    it is worded. `tuning` orders them, by default that of the options. With `hops` the best hits
    lead to others, also by the edges `given`.
    """
    tuning = tuning or options.tuning
    found = signals_of(index, asked, calibration, neighbours=tuning.neighbours)
    admitted = _admitted(index, scope, only, where)
    scores, moved = _scores(index, found, admitted, tuning, now)
    seen = int(np.count_nonzero(admitted))
    named = bool((admitted & (found.table[SIGNALS.index(Signal.ENTITY)] > 0)).any())
    meant = meant or MessageMeaning()
    words = asked.speaks_of_user and not meant.anybodys
    personal = sought or meant.personal or only is not None or named or words
    depends = max(meant.depends, 0.0) if sought else meant.depends
    at = likely(scores, found.cosine, seen, most if sought else options.limit)
    nearness = evidence.near(found, at, calibration)
    if background is None or not whole or not len(at):
        beside = evidence.guessed(nearness)
    else:
        rows = index.vectors.rows
        known = index.usual.of(background, at, lambda new: background.of_lines(rows(new)))
        beside = evidence.Nearness(*background.nearness(asked.vectors, rows(at), known))
    table = evidence.told(found, at, nearness, beside, personal=personal, depends=depends)
    themed = np.zeros_like(scores)
    if asked.speaks_of_user and len(at):
        themed[at] = THEME * max(float(np.max(scores)), 0.0) * (beside.theme - NO_THEME)
        scores = scores + themed
    terms = frozenset(term for reading in asked.readings for term in reading.terms)
    odds = np.full(len(scores), -np.inf)
    of_user = words or (meant.personal and not named)
    less = _less(index, at, asked, terms, sought=sought, of_user=of_user)
    odds[at] = evidence.log_odds(table, calibration.weights) - less
    rivals = admitted & (index.untold == 0)
    rivals[[p for p in at.tolist() if _repeats(index, p, terms)]] = False
    weighed = weigh(found, odds, rivals, options, personal=personal)
    passing = weighed.passing & ((index.untold == 0) | (weighed.evidence >= LEAST_UNTOLD))
    if only is not None:
        passing = passing & _alone(found, calibration)
    among = admitted if only is None else admitted & passing
    best_evidence = float(np.max(weighed.evidence, initial=0.0, where=among))
    scored = Scored(found, scores, weighed.odds, weighed.evidence, passing)
    leads_on = only is None and _leads_on(scored, hops, asked, index)
    if leads_on:
        scored = connected(index, scored, tuning, asked=terms, personal=personal, given=given)
    # Relevant memories come before those that score only by their neighbours.
    best = _best(scored.scores + scored.passing * _FIRST, min(most, seen))
    alone = best if scored.matching is None else _best(scores + passing * _FIRST, min(most, seen))
    # How sure an answer is does not hang on what people said of it, nor on what it leads to.
    right = np.minimum.accumulate(weighed.evidence[alone])
    by_itself = dict(zip(alone.tolist(), right.tolist(), strict=True))
    ranked = _ranked(index, scored, moved, themed, best, _with_steps(scored, best, by_itself))
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


def likely(
    scores: npt.NDArray[np.float64], cosine: npt.NDArray[np.float64], seen: int, limit: int
) -> npt.NDArray[np.int64]:
    """Positions of the memories that may bear on the message at all, in order.

    Of `limit` lines that are given, those are twice as many with the best scores, and as many that
    are nearest in meaning: among hundreds that are weighed, some are evidence by chance.
    """
    nearest = np.where(np.isfinite(scores), cosine, -np.inf)
    best = _best(scores, min(2 * limit, seen)), _best(nearest, min(limit, seen))
    return np.unique(np.concatenate(best))


@dataclass(frozen=True, slots=True)
class Weighed:
    """What n memories are as evidence."""

    odds: npt.NDArray[np.float64]
    """``float64[n]``: log odds that each bears on the message."""
    evidence: npt.NDArray[np.float64]
    """``float64[n]``: the probability."""
    passing: npt.NDArray[np.bool_]
    """``bool[n]``: probable enough to be recalled, and sure or not far behind the best."""


def weigh(
    found: Signals,
    odds: npt.NDArray[np.float64],
    among: npt.NDArray[np.bool_],
    options: RecallOptions,
    *,
    personal: bool,
) -> Weighed:
    """Weigh all memories as evidence, of which the log odds are known (``float64[n]``).

    The best is one of `among`.
    """
    if personal:
        timely = (found.table[_TIME] >= LEAST_DATE) & np.isfinite(odds) & among
        odds = np.where(timely, np.maximum(odds, evidence.odds_of(TIMELY)), odds)
    probable = evidence.probability(odds)
    if options.threshold == 0:
        return Weighed(odds, probable, np.ones_like(among))
    least = options.threshold if personal else max(options.threshold, options.tuning.clear)
    best = np.max(odds, initial=-np.inf, where=among)
    return Weighed(odds, probable, (probable >= least) & (odds >= min(best - BEHIND, SURE)))


def _less(
    index: UserIndex,
    at: npt.NDArray[np.int64],
    asked: AnalysedQuery,
    terms: frozenset[str],
    *,
    sought: bool,
    of_user: bool,
) -> npt.NDArray[np.float64]:
    """``float64[k]``: what the log odds of some memories are less, because nobody told them.

    What is `sought` is found by its own words, too; a question finds no question like it.
    """
    material = MATERIAL_OF_USER if of_user else UNTOLD[MATERIAL]
    untold = index.untold[at]
    less: npt.NDArray[np.float64] = np.where(untold == MATERIAL, material, UNTOLD[untold])
    answers = sought or is_question(asked.wording)
    for n, position in enumerate(at.tolist()):
        entry = index.entries[position]
        if entry is None or entry.item.provenance.source is not Source.SAID:
            continue
        said = frozenset(entry.terms)
        if index.untold[position] in (1, 3):
            again = len(said & terms) >= LIKE * len(said | terms)
        else:  # "Am I married?" has the words of its answer
            has_all = said == terms or (len(said) >= MUCH_SAID and said <= terms)
            again = has_all and not answers
        if again:
            less[n] = np.inf
    return less


def _repeats(index: UserIndex, position: int, terms: frozenset[str]) -> bool:
    """Whether it is the message itself, said before: nothing is behind that."""
    entry = index.entries[position]
    if entry is None or entry.item.provenance.source is not Source.SAID:
        return False
    return frozenset(entry.terms) == terms


def _alone(found: Signals, calibration: Calibration) -> npt.NDArray[np.bool_]:
    """``bool[n]``: near enough for a message that needs nothing else.

    A word in common is needed too, and a clear match of words if no cosines are known.
    """
    words = found.coverage >= CLEAR if calibration == SAFE else found.coverage > 0
    spreads = (found.cosine - calibration.floor) / calibration.spread
    alone: npt.NDArray[np.bool_] = (spreads * found.meaning.worth >= ALONE) & words
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
    return tuple(
        Ranked(
            entry.item, score, cosine, coverage, values, passes, at, entry.words,
            evidence=tells, right=likely, feedback=part, theme=gain, step=steps.get(at),
        )
        for at, score, cosine, coverage, values, passes, tells, likely, part, gain in columns
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
