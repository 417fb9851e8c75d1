"""The standing profile of a user, and what of it a message is given whatever its scores are. Pure.

A line is a memory, or what the user said: a profile states nothing of its own, so every line can be
asked why it is there, and a forgotten memory leaves no line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Self

from ..language import scan
from ..language.message import Reading, bound, request_and_material
from ..language.reach import FOR_GOOD, Reach
from ..language.requests import Cue
from ..language.words import sentences
from ..model.row_kinds import is_passage
from ..model.types import MemoryItem, Scope
from .hit_evidence import Values
from .index.postings import Ints
from .index.user_index import UserIndex
from .options import ProfileOptions
from .prototypes import MessageMeaning, Prototypes
from .ranking import Ranked, unmatched
from .trait_flags import ANY_TOPIC, FIRM, TELLS, UNSAFE, is_procedure, read, trait_flags
from .traits import WISH, traits_of
from .wish_topics import later_than, replaces

_PERSONAL = (Cue.SELF, Cue.KIN, Cue.ADVICE)
_FIXED = (Cue.TRANSFORM, Cue.CALC)


@dataclass(frozen=True, slots=True)
class ProfileNeed:
    """A request as a profile sees it."""

    about_user: bool
    """It asks what is known about the user."""
    topics: frozenset[str]
    """What it is about, if somebody's constraints may bear on it; empty for a question of
    knowledge or about the user's own things, and for a change of given text."""

    @classmethod
    def of(cls, message: str, meant: MessageMeaning | None = None) -> Self:
        """`meant` is what it means; None where meaning tells nothing, and words must."""
        text = request_and_material(bound(message)).asked
        # In any language: the phrases are long, and a short question tells its language badly.
        if scan(text).has("person.about_user") or (meant is not None and meant.about_user):
            return cls(about_user=True, topics=frozenset())
        if meant is not None:
            return cls(about_user=False, topics=meant.topics)
        return cls(about_user=False, topics=ANY_TOPIC if _is_personal(text) else frozenset())


def _is_personal(text: str) -> bool:
    """Whether the words of a request say that the answer depends on who asks."""
    reading = Reading(request_and_material(text))
    if any(reading.requests(cue) for cue in _FIXED):
        return False
    if reading.has(*_PERSONAL):
        return True
    return bool(reading.requests(Cue.TASK)) and not reading.has(Cue.STRONG, Cue.GENERAL)


MOST_READ = 2000
"""Newest memories that a profile is derived from."""
_ORDER = (
    "name", WISH, "manner", "language", "allergy", "diet", "health", "home", "household", "work",
    "avoids", "always", "plan", "tools", "prefers",
)  # fmt: skip
"""The traits of a profile, most important first."""
_CONSTRAINT = "constraint"
_PASSING = "passing"
_EACH = {"name": 2, WISH: 5, _CONSTRAINT: 16, _PASSING: 8}
_MOST_EACH = 4
"""Lines of one trait at most, the newest ones."""
STANDING = frozenset({WISH, *FIRM})


class Role(StrEnum):
    """Why something is recalled besides matching the query."""

    WISH = "wish"
    """It says how the user wants to be answered."""
    CONSTRAINT = "constraint"
    """It bears on the topic of the request."""
    PROFILE = "profile"
    """The request asks what is known about the user."""
    LATER = "later"
    """It may say something newer of the same matter."""
    EARLIER = "earlier"
    """It was true before what answers."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a profile."""

    item: MemoryItem
    traits: frozenset[str]
    bears_on: frozenset[str]
    """The topics of requests that it bears on."""
    position: int
    reach: Reach = FOR_GOOD
    later: tuple[int, ...] = ()
    """Of a wish, the positions of what the user said about it later, newest first."""

    @property
    def rank(self) -> int:
        """Smaller for a more important trait."""
        return min((_ORDER.index(trait) for trait in self.traits), default=len(_ORDER))


def profile_of(index: UserIndex, scope: Scope, prototypes: Prototypes | None = None) -> list[Line]:
    """The lines of a scope's profile, most important and newest first.

    They are found again after a change of the index only, so nobody changes the list.
    """
    index.judge_by(prototypes)
    make = partial(_profile, index, scope, prototypes)
    return index.once(("profile", scope), make, of_told=True)


def _profile(index: UserIndex, scope: Scope, prototypes: Prototypes | None) -> list[Line]:
    lines = sorted(_lines(index, scope, prototypes), key=_newest, reverse=True)
    kept: dict[str, int] = {}
    chosen = []
    for line in lines:
        names = _counted(line)
        wanted = [t for t in names if kept.get(t, 0) < _EACH.get(t, _MOST_EACH)]
        if wanted:
            chosen.append(line)
            for trait in names:
                kept[trait] = kept.get(trait, 0) + 1
    return [
        replace(line, later=tuple(later_than(index, scope, line.position, prototypes)))
        if WISH in line.traits
        else line
        for line in sorted(_latest(chosen, index, prototypes), key=lambda line: line.rank)
    ]


def _counted(line: Line) -> AbstractSet[str]:
    """What it is counted as, of which there are so many at most."""
    if line.reach != FOR_GOOD:
        return {_PASSING}
    return line.traits | ({_CONSTRAINT} if line.bears_on else frozenset())


def _latest(lines: list[Line], index: UserIndex, prototypes: Prototypes | None) -> list[Line]:
    """Without the wishes for good in whose place there is a newer one."""
    lasting = [line for line in lines if WISH in line.traits and line.reach == FOR_GOOD]

    def is_replaced(line: Line) -> bool:
        return any(
            other.item.updated_at > line.item.updated_at
            and replaces(other.item.text, line.item.text, _near(index, other, line, prototypes))
            for other in lasting
        )

    gone = {line.item.id for line in lasting if is_replaced(line)}
    return [line for line in lines if line.item.id not in gone]


def _near(index: UserIndex, one: Line, other: Line, prototypes: Prototypes | None) -> float:
    rows = index.vectors.row(one.position), index.vectors.row(other.position)
    return 0.0 if prototypes is None else prototypes.cosine(*rows)


def holding(lines: Iterable[Line], now: datetime, conversation: str = "") -> list[Line]:
    """The lines that hold then, in this conversation; in none of them without one."""
    return [
        line
        for line in lines
        if line.reach == FOR_GOOD
        or line.reach.holds(
            now, here=bool(conversation) and line.item.provenance.conversation_id == conversation
        )
    ]


def wishes(lines: Iterable[Line]) -> list[Line]:
    """How the user wants to be answered, whatever they ask."""
    return [line for line in lines if WISH in line.traits]


def bearing(lines: Iterable[Line], topics: frozenset[str]) -> list[Line]:
    """The lines that constrain what a request of these topics asks for.

    Those of most of its topics come first.
    """
    firm = [line for line in lines if line.bears_on & topics]
    return sorted(firm, key=lambda line: -len(line.bears_on & topics))


def broad(lines: Sequence[Line], index: UserIndex, scope: Scope) -> list[Line]:
    """The profile, then everything else by importance and age: "what do you know about me?"."""
    told = {line.item.id for line in lines}
    rest = [
        Line(entry.item, frozenset(), frozenset(), position)
        for position in _newest_positions(index, scope).tolist()
        if (entry := index.entries[position]) is not None
        and not is_procedure(entry.item)
        and entry.item.id not in told
    ]
    return [*lines, *sorted(rest, key=_newest, reverse=True)]


def _lines(index: UserIndex, scope: Scope, prototypes: Prototypes | None) -> list[Line]:
    """Of the newest memories those that tell something."""
    positions = _newest_positions(index, scope)
    noted = trait_flags(index, positions, prototypes)
    found, distrusted = [], set[str]()
    for position in positions[noted & (TELLS | UNSAFE) > 0].tolist():
        entry = index.entries[position]
        if entry is None:
            continue
        told = read(index, entry, position, prototypes)
        if told.unsafe and is_passage(entry.item.id):
            distrusted.update(entry.item.provenance.turn_ids)
        elif told.traits or told.bears_on:
            found.append(Line(entry.item, told.traits, told.bears_on, position, told.reach))
    lines = (_distrusted(line, distrusted) for line in found)
    return [line for line in lines if line.traits or line.bears_on]


def _newest_positions(index: UserIndex, scope: Scope) -> Ints:
    return index.admitted(scope).nonzero()[0][-MOST_READ:]


def _distrusted(line: Line, turns: AbstractSet[str]) -> Line:
    """A line without wishes if it was said beside an instruction that is shown in no chat."""
    if WISH not in line.traits or turns.isdisjoint(line.item.provenance.turn_ids):
        return line
    return replace(line, traits=line.traits - {WISH})


_STEPS = 4
"""Of importance that count here: of two on one step, the newer comes first. Meaning tells three
levels apart, and finer differences would put an old line before a new one."""


def _newest(line: Line) -> tuple[int, int]:
    return round(_STEPS * line.item.importance), int(line.item.updated_at.timestamp() * 1000)


MOST_BROAD = 60
"""Lines of an answer to "what do you know about me?" at most."""
MOST_BEARING, MOST_OF_ANYBODYS = 4, 2
"""Constraints of a request of the user's own, and of one that anybody may make."""
HEEDED = 0.2
"""How probable it is at least that a constraint bears on a message that only tells, unless that is
of its topic for sure: 20 of 23 that were needed stay, and 66 of 246 others (development rows)."""
SHORT = 120
"""Characters of the longest text that is shown as it is."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """Memories that are recalled whatever their scores are."""

    chosen: tuple[Ranked, ...] = ()
    broad: bool = False
    """Whether they may have the whole budget."""


EMPTY = Pinned()


def pinned_for(
    index: UserIndex,
    scope: Scope,
    message: str,
    options: ProfileOptions,
    *,
    now: datetime,
    conversation: str = "",
    without: Collection[str] = (),
    prototypes: Prototypes | None = None,
    meant: MessageMeaning | None = None,
    evidence: Values | None = None,
) -> Pinned:
    """What a message needs of the profile; `without` are ids that something else replaced.

    `meant` is what the message means; None where meaning tells nothing. `evidence` is how probable
    it is that each memory bears on it, ``float64[n]``, if it only tells something.
    """
    if not options.enabled:
        return EMPTY
    asked = ProfileNeed.of(message, meant)
    profile = holding(profile_of(index, scope, prototypes), now, conversation)
    lines = [line for line in profile if line.item.id not in without]
    if asked.about_user:
        found = [line for line in broad(lines, index, scope) if line.item.id not in without]
        return Pinned(_as_hits(index, found[:MOST_BROAD], Role.PROFILE), broad=True)
    wished = _wishes(index, lines, options)
    most = MOST_BEARING if meant is None or meant.personal else MOST_OF_ANYBODYS
    firm = bearing(lines, asked.topics)
    if evidence is not None and meant is not None:
        sure = meant.sure_topics
        firm = [one for one in firm if evidence[one.position] >= HEEDED or one.bears_on & sure]
    bear = _as_hits(index, firm[:most], Role.CONSTRAINT)
    return Pinned(_distinct([*wished, *bear]))


def pinned_wishes(index: UserIndex, lines: Sequence[Line], options: ProfileOptions) -> Pinned:
    """The wishes among the lines that hold, for a message that needs no other memory."""
    return Pinned(_wishes(index, lines, options)) if options.enabled else EMPTY


def _wishes(index: UserIndex, lines: Sequence[Line], options: ProfileOptions) -> tuple[Ranked, ...]:
    """The wishes, each behind what was said about it later: a budget takes that first."""
    if not options.wishes:
        return ()
    shown = [each for line in wishes(lines) for each in (*_later_lines(index, line), line)]
    return _as_hits(index, shown, Role.WISH)


def _later_lines(index: UserIndex, line: Line) -> list[Line]:
    found = ((position, index.entries[position]) for position in line.later)
    return [
        Line(entry.item, frozenset({WISH}), frozenset(), position)
        for position, entry in found
        if entry is not None
    ]


def _distinct(hits: Sequence[Ranked]) -> tuple[Ranked, ...]:
    return tuple({hit.item.id: hit for hit in reversed(hits)}.values())[::-1]


def _as_shown(item: MemoryItem, role: Role) -> MemoryItem:
    """Of a longer text, the sentences that tell a trait: a story is not repeated for its diet."""
    if role is Role.PROFILE or len(item.text) <= SHORT:
        return item
    telling = [one.strip() for one in sentences(item.text) if traits_of(one) & STANDING]
    return replace(item, text=" ".join(telling)) if telling else item


def _as_hits(index: UserIndex, lines: Sequence[Line], role: Role) -> tuple[Ranked, ...]:
    entries = index.entries
    return tuple(
        unmatched(
            _as_shown(line.item, role), role=role.value, position=line.position, words=entry.words
        )
        for line in lines
        if (entry := entries[line.position]) is not None
    )
