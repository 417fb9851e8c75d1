"""Weighs the memories of an index for a query: scores, evidence, and what passes. Pure.

Columns with a number for each memory. What the best lead to is taken in afterwards (`ranking`), so
that nothing is computed again once a graph has told what it knows of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Required, TypedDict

import numpy as np
import numpy.typing as npt

from ..calibration import BUILT_IN, OF_TELLING, SAFE, Calibration
from ..model.types import MemoryType, Scope
from ..query import Predicate
from . import evidence
from .baseline import NO_THEME, SimilarityBaseline
from .constants import Tuning
from .hit_evidence import MOST_ASKED, candidates_of, less_odds, passing, repeating, weigh
from .hop_scores import Scored, needs_more
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
_NAMED = SIGNALS.index(Signal.ENTITY)
Ints = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Weighing:
    """The n memories of an index as one query weighs them, each by itself."""

    scored: Scored
    moved: Values | None
    """What feedback did to each score; None if nobody spoke of any memory."""
    themed: Values
    """The part of each score for being of the question's theme."""
    evidence: float
    """The probability that anything stored bears on the message: that of the best memory."""
    seen: int
    """Number of memories that were compared."""
    personal: bool
    """Whether the answer depends on who asks."""
    terms: frozenset[str]
    """The index terms of the query, in all its wordings."""
    leads_on: bool
    """Whether the best lead to others."""
    tuning: Tuning
    named: bool
    """Whether the message names whom or what the memories know."""
    tells: bool = False
    """Whether the message only tells something."""


class HowWeighed(TypedDict, total=False):
    """Arguments of a weighing; `ranking.rank` tells what they mean."""

    options: Required[RecallOptions]
    now: Required[datetime]
    only: MemoryType | None
    where: Predicate | None
    whole: bool
    meant: MessageMeaning | None
    background: SimilarityBaseline | None
    sought: bool
    tuning: Tuning | None
    hops: ExpandHops
    untold: bool
    tells: Callable[[], bool] | None


def weighing_of(
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
    untold: bool = True,
    tells: Callable[[], bool] | None = None,
) -> Weighing:
    """Weigh what the scope admits; for the arguments see `ranking.rank`."""
    tuning = tuning or options.tuning
    found = signals_of(index, asked, calibration, neighbours=tuning.neighbours)
    admitted = _admitted(index, scope, only, where, untold=untold)
    scores, moved = _scores(index, found, admitted, tuning, now)
    named = bool((admitted & (found.table[_NAMED] > 0)).any())
    meant = meant or MessageMeaning()
    speaks = asked.speaks_of_user
    words = speaks and not meant.anybodys
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
    if speaks and len(at):
        themed[at] = THEME * max(float(np.maximum.reduce(scores)), 0.0) * (related.theme - NO_THEME)
        scores = scores + themed
    terms = frozenset[str]().union(*[reading.terms for reading in asked.readings])
    less = less_odds(index, at, asked, terms, sought=sought)
    odds = np.full(len(scores), -np.inf)
    # What `recollect calibrate` fitted to another embedder counts for every message.
    fitted = calibration.weights
    told = fitted == BUILT_IN and tells is not None and len(at) > 0 and tells()
    odds[at] = evidence.log_odds(table, OF_TELLING if told else fitted) - less
    rivals = _rivals(index, admitted, at, terms)
    of_time = sought or asked.asks_of_time
    weighed = weigh(found, odds, rivals, options, personal=personal, of_time=of_time)
    passes = passing(index, weighed, most_asked=most if sought else MOST_ASKED)
    if only is not None:
        passes = passes & _alone(found, calibration)
    among = admitted if only is None else admitted & passes
    scored = Scored(found, scores, weighed.odds, weighed.evidence, passes)
    return Weighing(
        scored,
        moved,
        themed,
        float(np.maximum.reduce(weighed.evidence, initial=0.0, where=among)),
        int(np.add.reduce(admitted, dtype=np.int64)),
        personal,
        terms,
        only is None and _leads_on(scored, hops, asked, index),
        tuning,
        named,
        told,
    )


def _usual(
    index: UserIndex, asked: AnalysedQuery, at: Ints, background: SimilarityBaseline
) -> evidence.Nearness:
    """How near the memories at these positions are beside what is usual."""
    rows = index.vectors.rows
    known = index.usual.of(background, at, lambda new: background.of_lines(rows(new)))
    return evidence.Nearness(*background.nearness(asked.vectors, rows(at), known))


def _rivals(index: UserIndex, admitted: Mask, at: Ints, terms: frozenset[str]) -> Mask:
    """``bool[n]``: what others are weighed against: what was told and does not repeat the query."""
    rivals: Mask = admitted & (index.untold == 0)
    rivals[at[repeating(index, at, terms)]] = False
    return rivals


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
) -> Mask:
    """``bool[n]``: what may be ranked at all."""
    admitted = index.admitted(scope)
    if not untold:
        admitted = admitted & (index.untold == 0)
    if only is not None:
        admitted = admitted & index.of_type(only)
    return admitted if where is None else index.passing(where, admitted)


def _scores(
    index: UserIndex, found: Signals, admitted: Mask, tuning: Tuning, now: datetime
) -> tuple[Values, Values | None]:
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
    rating = index.rating
    if not rating.any():
        return np.where(admitted, plain, -np.inf), None
    moved = plain * feedback_share(tuning, rating)
    return np.where(admitted, plain + moved, -np.inf), moved


def _alone(found: Signals, calibration: Calibration) -> Mask:
    """``bool[n]``: near enough for a message that needs nothing else.

    A word in common is needed too, and a clear match of words if no cosines are known.
    """
    words = found.coverage >= CLEAR if calibration == SAFE else found.coverage > 0
    spreads = (found.cosine - calibration.floor) / calibration.spread
    alone: Mask = (spreads * found.meaning.worth >= ALONE) & words
    return alone
