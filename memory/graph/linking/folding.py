"""Links memories one after the other, in the order of (`created_at`, id). No IO.

The same steps make the graph of an owner from nothing and add the newest memory to it: so both give
the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ...model.graph import (
    Entity,
    EntityKind,
    EntityMention,
    EntityMerge,
    EntityRelation,
    MemoryLinks,
    ReadVersion,
)
from ...model.scope import Scope
from ...model.types import MemoryItem
from ..reading import GraphReading, ReadMention
from ..resolving import Resolution, resolve
from .known_entities import KnownEntities

Pair = frozenset[str]
"""Two entities, by id."""


@dataclass(frozen=True, slots=True)
class ReadMemory:
    """A memory whose text was read."""

    id: str
    scope: Scope
    version: ReadVersion
    created_at: datetime
    reading: GraphReading

    @classmethod
    def of(cls, item: MemoryItem, reading: GraphReading) -> ReadMemory:
        """What linking needs of a memory: none of its text but what the reading has."""
        version = (item.version, item.hash, item.scope)
        return cls(item.id, item.scope, version, item.created_at, reading)

    @property
    def order(self) -> tuple[datetime, str]:
        """Its place among the memories of its owner."""
        return self.created_at, self.id


class Fold:
    """Links the memories of one owner; to be given them in their order. For one thread."""

    def __init__(
        self,
        owner: Scope,
        known: KnownEntities,
        *,
        parted: Collection[Pair] = (),
        before: Mapping[str, MemoryLinks] | None = None,
    ) -> None:
        """`known` is what the memories before speak of, as far as these can speak of it.

        `parted`: that these are one was undone by a person. `before`: how memories were linked
        until now, by id; an entity keeps its id as long as the memory that first names it does.
        """
        self._owner = owner
        self._known = known
        self._parted = frozenset(parted)
        self._before = before or {}
        self._founders: dict[str, str] = {}

    def entities_of(self, links: Sequence[MemoryLinks]) -> list[Entity]:
        """The entities that these memories speak of."""
        return self._known.of({each.entity_id for one in links for each in one.mentions})

    def expect(self, before: Mapping[str, MemoryLinks]) -> None:
        """How the next memories were linked until now."""
        self._before = before

    def founders(self, kept: Mapping[str, tuple[EntityKind, datetime]]) -> set[str]:
        """The memories since the last call that are the first to name what is kept otherwise."""
        found = {
            self._founders[each.id]
            for each in self._known.of(self._founders)
            if kept.get(each.id) != (each.kind, each.created_at)
        }
        self._founders.clear()
        return found

    def add(self, memory: ReadMemory) -> MemoryLinks:
        """What the next memory says."""
        reading = memory.reading
        found = self._known.found(reading.lookup()) if reading.mentions else []
        resolved = resolve(reading, found)
        ids = [
            self._entity(memory, mention, resolution)
            for mention, resolution in zip(reading.mentions, resolved, strict=True)
        ]
        return MemoryLinks(
            memory_id=memory.id,
            scope=memory.scope,
            mentions=self._mentioned(memory, ids),
            relations=tuple(_relations(memory, ids)),
            merges=self._merged(memory, resolved, ids),
        )

    def _entity(self, memory: ReadMemory, mention: ReadMention, found: Resolution) -> str | None:
        """The entity that a mention is, which may be a new one; None if it is not linked."""
        if found.dropped:
            return None
        if found.entity_id is not None:
            return found.entity_id
        key = mention.surfaces[0].key
        new = Entity(
            id=self._new_id(memory.id, key),
            owner=self._owner,
            name=mention.name,
            kind=mention.kind,
            key=key,
            created_at=memory.created_at,
        )
        self._known.add(new)
        self._founders[new.id] = memory.id
        return new.id

    def _new_id(self, memory_id: str, key: str) -> str:
        """The id that it had, or else one that follows from the memory and the name."""
        number = 0
        while (new := entity_id(self._owner, memory_id, key, number)) in self._known:
            number += 1
        if before := self._before.get(memory_id):
            for each in before.mentions:
                if each.key == key and each.entity_id not in self._known:
                    return each.entity_id
        return new

    def _mentioned(
        self, memory: ReadMemory, ids: Sequence[str | None]
    ) -> tuple[EntityMention, ...]:
        mentioned: dict[EntityMention, None] = {}
        for mention, linked in zip(memory.reading.mentions, ids, strict=True):
            if linked is not None:
                rows = _rows(linked, mention)
                self._known.mention(linked, rows)
                mentioned |= dict.fromkeys(rows)
        return tuple(mentioned)

    def _merged(
        self, memory: ReadMemory, resolved: Sequence[Resolution], ids: Sequence[str | None]
    ) -> tuple[EntityMerge, ...]:
        merges = []
        for found, linked in zip(resolved, ids, strict=True):
            for other in found.merges if linked is not None else ():
                kept = found.entity_id or linked
                if kept is None or frozenset((kept, other.entity_id)) in self._parted:
                    continue
                if self._known.join(kept, other.entity_id):
                    merges.append(
                        EntityMerge(
                            id=merge_id(memory.id, kept, other.entity_id),
                            owner=self._owner,
                            kept=kept,
                            gone=other.entity_id,
                            at=memory.created_at,
                            by=other.by,
                            memory_id=memory.id,
                            score=other.score,
                        )
                    )
        return tuple(merges)


def _rows(linked: str, mention: ReadMention) -> tuple[EntityMention, ...]:
    return tuple(
        EntityMention(entity_id=linked, surface=surface.text, key=key)
        for surface in mention.surfaces
        for key in (surface.key, *surface.more)
    )


def _relations(memory: ReadMemory, ids: Sequence[str | None]) -> list[EntityRelation]:
    relations: dict[EntityRelation, None] = {}
    for each in memory.reading.relations:
        source, target = ids[each.source], ids[each.target]
        if source is not None and target is not None and source != target:
            relation = EntityRelation(
                source=source,
                relation=each.relation,
                target=target,
                memory_id=memory.id,
                quote=each.quote,
            )
            relations[relation] = None
    return list(relations)


_CHARS = 32


def entity_id(owner: Scope, memory_id: str, key: str, number: int = 0) -> str:
    """The id of the entity that a memory named first, by the key of its name there.

    `number` tells apart those of one memory that are called the same.
    """
    return _digest("entity", *_named(owner), memory_id, key, str(number))


def merge_id(memory_id: str, kept: str, gone: str) -> str:
    """The id of a merge that the words of a memory say."""
    return _digest("merge", memory_id, kept, gone)


def _named(owner: Scope) -> tuple[str, ...]:
    return (owner.tenant, *(f"{name}={value}" for name, value in sorted(owner.ids().items())))


def _digest(*parts: str) -> str:
    told = "\0".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:_CHARS]
