"""Finds what a message may be shown: the ranking, what stands before it, what belongs beside it.

Pure; `selection` selects of it within the bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import chain

import numpy as np
import numpy.typing as npt

from ..calibration import Calibration
from ..language import packs
from ..language.words import may_ask
from ..model.graph import ConnectedMemory
from ..model.types import MemoryItem, MemoryType, Scope, Vector, Vectors
from ..query import Predicate
from .asking import only_asks_where
from .constants import Tuning
from .expansion import edges_of
from .index.user_index import UserIndex
from .options import ExpandHops, ProfileOptions, RecallOptions
from .profile import EMPTY, Pinned, Role, pinned_for
from .prototypes import MessageMeaning, Prototypes
from .ranking import Order, Ranked, Ranking, leads_of, order_of, ranking_of, unmatched
from .related_lines import NOTHING, RelatedLines, related_lines
from .signals import AnalysedQuery, Signal, analysed
from .tool_orders import is_for_tool
from .trait_flags import PRIVATE, UNFIT, UNSAFE, trait_flags
from .weighing import Weighing, weighing_of

SURELY_ASKED = 0.67
"""Least probability that what is private bears on a message that speaks of the user."""
WHOLLY = 0.8
"""Share of the message's words that it must have if the message speaks of nobody."""


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """A query, ready to be compared with an index."""

    scope: Scope
    wordings: Sequence[str]
    """The user's own, then variants."""
    vectors: Vectors
    """``float32[m, dim]`` of the wordings, and of passages."""
    own: Vector
    """The vector of the user's own wording, in the space of the embedder."""
    message: str
    """The message as it was sent."""
    now: datetime
    most: int
    """Hits that are ranked."""
    only: MemoryType | None = None
    where: Predicate | None = None
    whole: bool = True
    """Whether the index holds all memories of the scope."""
    stands: bool = True
    """Whether what is recalled besides matching is wanted too, and what nobody told."""
    sought: bool = False
    """Whether memory itself is asked: then it is about the user, however it is worded."""
    conversation: str = ""
    tuning: Tuning | None = None
    """Orders the hits; None for that of the options."""
    hops: ExpandHops = 0
    """Whether the best hits lead to others."""
    may_order: bool = False
    """As of the query."""
    telling: frozenset[str] = frozenset()
    """Memories that tell the user's name, if the query has it: only the first wording, which has
    the user in place of the name, is asked of them."""


@dataclass(frozen=True, slots=True)
class RetrievedLines:
    """The lines that a message may be shown."""

    ranking: Ranking
    pinned: Pinned = EMPTY
    related: RelatedLines = NOTHING
    contradicted: frozenset[str] = frozenset()
    """The ids that something later speaks against."""
    private: frozenset[str] = frozenset()
    """Those of the ranked hits about health, money, fear or trouble in the family that the message
    does not surely ask for."""
    past: bool = False
    """Whether the message asks what changed, or what was so before."""
    unfit: frozenset[str] = frozenset()
    """Those of all hits that are instructions which nobody validated: they are shown as hearsay."""
    unsafe: frozenset[str] = frozenset()
    """Those of them that are shown in no chat."""
    withheld: frozenset[str] = frozenset()
    """Those of all hits that do not go to whoever reads them."""
    whole: Mapping[str, MemoryItem] = field(default_factory=dict)
    """By id, what is pinned, whole: of a story a chat is shown the sentence that tells."""
    for_tool: bool = False
    """Whether a tool does what the message orders: only procedures were compared."""
    put_off: frozenset[str] = frozenset()
    """The ids of those that somebody did not want for questions like this one."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A query as the memories of an index answer it, before a graph is asked."""

    changes: int
    """`UserIndex.changes` when it began: positions are of no other."""
    asked: AnalysedQuery
    meant: MessageMeaning | None
    weighing: Weighing
    order: Order
    leads: tuple[str, ...]
    """The ids of the best hits, if the question needs what they lead to and no text shows it."""
    for_tool: bool = False
    """As of `RetrievedLines`."""


def begin(
    index: UserIndex,
    wanted: PreparedQuery,
    options: RecallOptions,
    calibration: Calibration,
    *,
    prototypes: Prototypes | None = None,
) -> Begun:
    """Weigh the memories of an index, which the caller has locked.

    `prototypes` tell by meaning whom a message is for; without them, words do.
    """
    asked = _analysed(index, wanted)
    meant = _meant(wanted, asked.language, prototypes)
    weigh = partial(
        weighing_of,
        index,
        wanted.scope,
        asked,
        options=options,
        calibration=calibration,
        now=wanted.now,
        most=wanted.most,
        where=wanted.where,
        whole=wanted.whole,
        meant=meant,
        background=None if prototypes is None else prototypes.background,
        sought=wanted.sought,
        tuning=wanted.tuning,
        hops=wanted.hops,
        untold=wanted.stands,
        tells=partial(_only_tells, wanted, asked.language, prototypes),
    )
    weighing = weigh(only=wanted.only)
    # Whoever the memories know is theirs: "Run the tests of Atlas".
    for_tool = _is_for_tool(wanted, meant) and not weighing.named
    if for_tool:
        weighing = weigh(only=MemoryType.PROCEDURAL)
    order = order_of(index, weighing, wanted.most)
    leads = leads_of(index, weighing, order)
    return Begun(index.changes, asked, meant, weighing, order, leads, for_tool)


def _only_tells(wanted: PreparedQuery, language: str, prototypes: Prototypes | None) -> bool:
    """Whether a message that needs no other to be read asks for nothing, by meaning and words."""
    text = wanted.message
    if prototypes is None or wanted.sought or text != wanted.wordings[0] or may_ask(text):
        return False
    known = language in prototypes.languages
    return known and prototypes.tells(wanted.own) and not only_asks_where(text, bool)


def _is_for_tool(wanted: PreparedQuery, meant: MessageMeaning | None) -> bool:
    """Whether it orders what a tool does, in a message that needs no other to be read."""
    if not wanted.may_order or wanted.only is not None or wanted.message != wanted.wordings[0]:
        return False
    return is_for_tool(wanted.message, meant)


def finish(
    index: UserIndex,
    wanted: PreparedQuery,
    begun: Begun,
    options: RecallOptions,
    calibration: Calibration,
    *,
    prototypes: Prototypes | None = None,
    contradicted: Collection[str] = frozenset(),
    connected: Sequence[ConnectedMemory] = (),
) -> RetrievedLines:
    """The lines of a query, also of what a graph says that its hits are `connected` with."""
    order, asked, meant = begun.order, begun.asked, begun.meant
    if connected and (given := edges_of(index, connected)):
        order = order_of(index, begun.weighing, wanted.most, given)
    ranking = ranking_of(index, begun.weighing, order, calibration)
    found = RetrievedLines(ranking, contradicted=frozenset(contradicted), for_tool=begun.for_tool)
    if wanted.only is not None or begun.for_tool or not wanted.stands:
        return found
    weighing = begun.weighing
    likely = weighing.scored.evidence if weighing.tells else None
    found = _with_pinned(found, index, wanted, options.profile, prototypes, meant, likely)
    related = related_lines(index, ranking, calibration, partial(_hits, index), every=wanted.sought)
    found = replace(found, related=related)
    every = options.threshold == 0
    asked_for = partial(_is_asked_for, of_user=_asks_of_user(asked, meant), every=every)
    return _with_flags(found, index, prototypes, asked_for, every=wanted.sought)


def _analysed(index: UserIndex, wanted: PreparedQuery) -> AnalysedQuery:
    asked = analysed(wanted.wordings, wanted.vectors, index.languages, wanted.now)
    if wanted.telling:
        asked = replace(asked, telling=frozenset(index.positions(wanted.telling)))
    return asked


def _with_pinned(
    found: RetrievedLines,
    index: UserIndex,
    wanted: PreparedQuery,
    options: ProfileOptions,
    prototypes: Prototypes | None,
    meant: MessageMeaning | None,
    evidence: npt.NDArray[np.float64] | None,
) -> RetrievedLines:
    """With what is shown whatever it matches, and what the message means."""
    pinned = pinned_for(
        index,
        wanted.scope,
        wanted.message,
        options,
        now=wanted.now,
        conversation=wanted.conversation,
        without=found.contradicted,
        prototypes=prototypes,
        meant=meant,
        evidence=evidence,
    )
    past = meant is not None and meant.past
    whole = {
        hit.item.id: entry.item
        for hit in pinned.chosen
        if (entry := index.entries[hit.position]) is not None
    }
    return replace(found, pinned=pinned, past=past, whole=whole)


def _with_flags(
    found: RetrievedLines,
    index: UserIndex,
    prototypes: Prototypes | None,
    asked_for: Callable[[Ranked], bool],
    *,
    every: bool,
) -> RetrievedLines:
    """With what of all lines is private, unfit or unsafe.

    Of questions that are not relevant only with `every`: they are new with each turn, and shown to
    nobody else.
    """
    ranking = found.ranking
    at = ranking.at
    if not every:
        relevant = np.array([one.relevant for one in ranking.ranked], np.bool_)
        at = at[relevant | ~index.only_asked[at]]
    later = chain.from_iterable(found.related.later.values())
    beside = [hit.position for hit in (*found.pinned.chosen, *later)]
    shown = np.concatenate([at, np.array(beside, np.int64)])
    told = trait_flags(index, shown, prototypes)
    hidden = frozenset(at[told[: len(at)] & PRIVATE > 0].tolist())
    return replace(
        found,
        private=frozenset(
            hit.item.id for hit in ranking.ranked if hit.position in hidden and not asked_for(hit)
        ),
        unfit=_ids(index, shown[told & UNFIT > 0]),
        unsafe=_ids(index, shown[told & UNSAFE > 0]),
    )


def _asks_of_user(asked: AnalysedQuery, meant: MessageMeaning | None) -> bool:
    """Whether the message speaks of the user, in words or where these may be left out."""
    if asked.speaks_of_user:
        return True
    pack = packs().get(asked.language)
    drops = pack is not None and pack.person.drops_pronouns
    return drops and meant is not None and meant.personal


def _is_asked_for(hit: Ranked, *, of_user: bool, every: bool) -> bool:
    """Whether a message asks for what is private: "What is technical debt?" asks for no debt.

    `every`: whoever has no threshold wants all that there is.
    """
    named = hit.signals[Signal.ENTITY] > 0 or hit.coverage >= WHOLLY
    return every or named or (of_user and hit.evidence >= SURELY_ASKED)


def _ids(index: UserIndex, at: npt.NDArray[np.int64]) -> frozenset[str]:
    entries = map(index.entries.__getitem__, at.tolist())
    return frozenset(entry.item.id for entry in entries if entry is not None)


_LATER = Role.LATER.value


def _hits(index: UserIndex, positions: Sequence[int]) -> tuple[Ranked, ...]:
    entries = map(index.entries.__getitem__, positions)
    return tuple(
        unmatched(entry.item, role=_LATER, position=at, words=entry.words)
        for at, entry in zip(positions, entries, strict=True)
        if entry is not None
    )


def _meant(
    wanted: PreparedQuery, language: str, prototypes: Prototypes | None
) -> MessageMeaning | None:
    if prototypes is None or language not in prototypes.languages:
        return None
    return prototypes.asked(wanted.own)
