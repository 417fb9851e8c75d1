"""What is recalled because of who asks, before anything that matches the query. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ..language.sentences import sentences
from ..model.types import MemoryItem, Scope
from .index.user_index import UserIndex
from .options import ProfileOptions
from .profile import Line, Need, Role, bearing, broad, profile_of, wishes
from .profile.lines import STANDING
from .prototypes import MessageMeaning, Prototypes
from .rank import Ranked
from .signals import SIGNALS
from .traits import traits_of

MOST_BROAD = 60
"""Lines of an answer to "what do you know about me?" at most."""
MOST_BEARING, MOST_OF_ANYBODYS = 4, 2
"""Constraints of a request of the user's own, and of one that anybody may make."""
SHORT = 120
"""Characters of the longest text that is shown as it is."""
_NOTHING = (0.0,) * len(SIGNALS)


@dataclass(frozen=True, slots=True)
class Standing:
    """Memories that are recalled whatever their scores are."""

    chosen: tuple[Ranked, ...] = ()
    broad: bool = False
    """Whether they may have the whole budget."""


NOBODY = Standing()


def standing(
    index: UserIndex,
    scope: Scope,
    message: str,
    options: ProfileOptions,
    *,
    without: Collection[str] = (),
    prototypes: Prototypes | None = None,
    meant: MessageMeaning | None = None,
) -> Standing:
    """What a message needs of the profile; `without` are ids that something else replaced.

    `meant` is what the message means; None where meaning tells nothing.
    """
    if not options.enabled:
        return NOBODY
    asked = Need.of(message, meant)
    lines = [line for line in profile_of(index, scope, prototypes) if line.item.id not in without]
    if asked.about_user:
        found = [line for line in broad(lines, index, scope) if line.item.id not in without]
        return Standing(_ranked(index, found[:MOST_BROAD], Role.PROFILE), broad=True)
    wished = _wishes(index, lines, options)
    most = MOST_BEARING if meant is None or meant.personal else MOST_OF_ANYBODYS
    bear = _ranked(index, bearing(lines, asked.topics)[:most], Role.CONSTRAINT)
    return Standing(_distinct([*wished, *bear]))


def wished(
    index: UserIndex, scope: Scope, options: ProfileOptions, prototypes: Prototypes | None = None
) -> Standing:
    """The wishes alone, for a message that needs no other memory."""
    if not options.enabled:
        return NOBODY
    return Standing(_wishes(index, profile_of(index, scope, prototypes), options))


def _wishes(index: UserIndex, lines: Sequence[Line], options: ProfileOptions) -> tuple[Ranked, ...]:
    return _ranked(index, wishes(lines), Role.WISH) if options.wishes else ()


def _distinct(hits: Sequence[Ranked]) -> tuple[Ranked, ...]:
    return tuple({hit.item.id: hit for hit in reversed(hits)}.values())[::-1]


def _shown(item: MemoryItem, role: Role) -> MemoryItem:
    """Of a longer text, the sentences that tell a trait: a story is not repeated for its diet."""
    if role is Role.PROFILE or len(item.text) <= SHORT:
        return item
    telling = [one.strip() for one in sentences(item.text) if traits_of(one) & STANDING]
    return replace(item, text=" ".join(telling)) if telling else item


def _ranked(index: UserIndex, lines: Sequence[Line], role: Role) -> tuple[Ranked, ...]:
    entries = index.entries
    return tuple(
        Ranked(
            _shown(line.item, role), 0.0, 0.0, 0.0, _NOTHING, relevant=True, position=line.position,
            words=entry.words, role=role.value,
        )
        for line in lines
        if (entry := entries[line.position]) is not None
    )  # fmt: skip
