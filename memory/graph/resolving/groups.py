"""Known entities as a mention is compared with them: merged ones are one group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ...model.claims import EntityKind
from ...model.graph import KnownEntity
from ..reading.keys import (
    ABOUT,
    KIND,
    LAST,
    MAYBE,
    SPELLED,
    TITLED,
    Name,
    is_description,
    is_name,
    is_role,
    likeness,
    words_in,
)
from ..reading.readings import USER_KEY


@dataclass(slots=True)
class Group:
    """Entities that are one, with all that they are called."""

    members: list[KnownEntity] = field(default_factory=list)
    names: set[Name] = field(default_factory=set)
    described: set[str] = field(default_factory=set)
    titles: set[str] = field(default_factory=set)
    maybe: set[EntityKind] = field(default_factory=set)
    """Kinds that a text hints at."""
    told: set[EntityKind] = field(default_factory=set)
    """The kinds that a text tells."""
    guessed: set[EntityKind] = field(default_factory=set)
    """The kinds that were told or guessed."""

    def add(self, known: KnownEntity) -> None:
        """A further entity of the group."""
        self.members.append(known)
        self.guessed.add(known.entity.kind)
        for key in known.keys:
            if is_name(key):
                self.names.add(words_in(key))
            elif key.startswith((LAST, SPELLED, ABOUT)):
                continue
            elif key.startswith(TITLED):
                self.titles.add(key)
            elif key.startswith(MAYBE):
                self.maybe.add(EntityKind(key.removeprefix(MAYBE)))
            elif key.startswith(KIND):
                self.told |= _told(key)
            elif is_description(key):
                self.described.add(key)

    @property
    def is_person(self) -> bool:
        """Whether a text tells that it is somebody."""
        return EntityKind.PERSON in self.told

    @property
    def roles(self) -> set[str]:
        """What it is to the user: "@sister"."""
        return set(filter(is_role, self.described))

    @property
    def order(self) -> tuple[datetime, str]:
        """The oldest first; of equals by id."""
        return min(map(_order, self.members))

    def likeness(self, name: Name) -> float:
        """How alike a name is to the most alike one."""
        return max((likeness(name, one) for one in self.names), default=0.0)

    def called(self, key: str) -> str:
        """The id of the member that is called so, or most nearly; the oldest of equals."""
        return min(self.members, key=lambda one: (-_closeness(one, key), *_order(one))).entity.id


def _told(key: str) -> set[EntityKind]:
    kind = EntityKind(key.removeprefix(KIND))
    return set() if kind.is_thing else {kind}


def _closeness(known: KnownEntity, key: str) -> float:
    if key in known.keys:
        return 1.0
    if not is_name(key):
        return 0.0
    words = words_in(key)
    return max((likeness(words, words_in(one)) for one in known.keys if is_name(one)), default=0.0)


def _order(known: KnownEntity) -> tuple[datetime, str]:
    return known.entity.created_at, known.entity.id


def groups_of(known: Sequence[KnownEntity]) -> list[Group]:
    """All groups, the oldest first, whatever the order of `known`."""
    groups: dict[str, Group] = {}
    for one in known:
        root = one.entity.merged_into or one.entity.id
        groups.setdefault(root, Group()).add(one)
    return sorted(groups.values(), key=lambda group: group.order)


def user_in(groups: Sequence[Group]) -> Group | None:
    """The group of the user."""
    return next((one for one in groups if USER_KEY in one.described), None)
