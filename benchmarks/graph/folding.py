"""Links texts in memory, one after the other, as the linker does with a store: for figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from recollect.memory.graph.reading import GraphReading, read
from recollect.memory.graph.resolving import Resolution, resolve
from recollect.memory.model.claims import EntityKind
from recollect.memory.model.graph import Entity, KnownEntity
from recollect.memory.model.scope import Scope

OWNER = Scope(tenant="t", user_id="u")
FIRST = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Kept:
    """An entity with what it is called."""

    id: str
    kind: EntityKind
    surfaces: list[str] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    merged_into: str | None = None


@dataclass
class Folded:
    """What was read of one text, and which entity each mention is (None: dropped)."""

    reading: GraphReading
    resolutions: Sequence[Resolution]
    entities: list[str | None]


@dataclass
class Graph:
    """All entities of one user."""

    kept: dict[str, Kept] = field(default_factory=dict)

    def add(self, text: str) -> Folded:
        """Link a text."""
        reading = read(text)
        found = resolve(reading, self.known(reading))
        ids = [
            self._link(mention, one) for mention, one in zip(reading.mentions, found, strict=True)
        ]
        return Folded(reading, found, ids)

    def known(self, reading: GraphReading) -> list[KnownEntity]:
        """The entities that a reading asks for."""
        asked = reading.lookup()
        return [self._known(one) for one in self.kept.values() if _is_asked(one.keys, asked)]

    def root(self, entity: str) -> str:
        """The entity that it is merged into, or itself."""
        return self.kept[entity].merged_into or entity

    def _link(self, mention, one) -> str | None:
        if one.dropped:
            return None
        at = one.entity_id or f"e{len(self.kept):04}"
        kept = self.kept.setdefault(at, Kept(at, mention.kind))
        kept.surfaces += [surface.text for surface in mention.surfaces]
        kept.keys |= mention.keys
        for merge in one.merges:
            self._merge(self.root(at), self.root(merge.entity_id))
        return at

    def _merge(self, root: str, gone: str) -> None:
        for one in self.kept.values():
            if one.id != root and gone in (one.id, one.merged_into):
                one.merged_into = root

    def _known(self, one: Kept) -> KnownEntity:
        at = FIRST + timedelta(seconds=int(one.id[1:]))
        entity = _entity(one, at)
        return KnownEntity(entity=entity, aliases=(), memories=1, keys=frozenset(one.keys))


def _entity(one: Kept, at: datetime) -> Entity:
    names = {"name": one.surfaces[0], "key": min(one.keys)}
    given = {name: names[name] for name in names if name in Entity.__dataclass_fields__}
    return Entity(
        id=one.id, owner=OWNER, kind=one.kind, created_at=at, merged_into=one.merged_into, **given
    )


def _is_asked(keys: set[str], asked: frozenset[str]) -> bool:
    """Whether one of the keys is asked for; one that ends in "*" is a prefix."""
    prefixes = tuple(one[:-1] for one in asked if one.endswith("*"))
    return not keys.isdisjoint(asked) or any(key.startswith(prefixes) for key in keys if prefixes)
