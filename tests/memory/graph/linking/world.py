"""A store of memories whose writes a graph follows, and what is in that graph."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import numpy as np

from recollect.memory.database.graph import SqlGraph
from recollect.memory.graph.linking import Graph
from recollect.memory.memories import SqlMemories
from recollect.memory.model.types import MemoryItem, MemoryStatus, Provenance, Scope, StoredMemory
from recollect.memory.records.writing import FollowedMemories
from tests.memory.learn.doubles import a_memory
from tests.support.following import writer_of
from tests.support.memories import InMemoryMemories

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
ALICE = Scope(tenant="t", user_id="alice")
ALL = frozenset(MemoryStatus)
MOST = 1000
VECTOR = np.ones(4, dtype=np.float32) / 2


def memory(name: str, text: str, minute: int = 0, *, scope: Scope = ALICE, **fields) -> MemoryItem:
    """A memory that was made so many minutes after noon."""
    at = NOON + timedelta(minutes=minute)
    return a_memory(name, text, scope, at, **fields)


def edited(item: MemoryItem, **fields) -> MemoryItem:
    """Its next version."""
    return replace(item, version=item.version + 1, **fields)


def version_of(item: MemoryItem) -> MemoryItem:
    """The row in which an earlier text of it is kept."""
    return replace(
        item,
        id=f"{item.id}-v{item.version}",
        status=MemoryStatus.SUPERSEDED,
        provenance=Provenance(superseded_by=item.id),
    )


class World:
    """A store, its graph, and another graph to compare with."""

    dim = 4

    def __init__(self, store=None, **chosen) -> None:
        self.inner = store or InMemoryMemories(dim=4)
        self.kept = SqlGraph(self.inner.database)
        writer = writer_of(self.inner, graph=self.kept)
        self.graph = Graph(self.kept, self.inner, writer, **chosen)
        writer.followers.append(self.graph)
        self.store = FollowedMemories(self.inner, writer)

    async def put(self, *items: MemoryItem) -> None:
        await self.store.put([StoredMemory(item, VECTOR) for item in items])

    async def names(self, scope: Scope = ALICE) -> dict[str, int]:
        """The entities as seen from a scope, each with how many memories speak of it."""
        await self.graph.settled()
        found = await self.kept.entities(scope, limit=1000)
        return {one.entity.name: one.memories for one in found}

    async def close(self) -> None:
        await self.graph.close(5)


@dataclass(frozen=True)
class Compared:
    """A graph, and the memories that it is made of."""

    kept: SqlGraph
    inner: SqlMemories
    dim: int = 4


async def rebuilt(world: World | Compared) -> World:
    """A graph that was made from nothing of what is stored."""
    copy = InMemoryMemories(dim=world.dim)
    await copy.put(await world.inner.scan(after=None, limit=MOST))
    other = World(copy)
    await other.graph.rebuild()
    return other


async def said(world: World | Compared) -> dict[str, tuple]:
    """What each memory says, with entities named by where they were named first."""
    stored = await world.inner.scan(after=None, limit=MOST)
    items = {one.item.id: one.item for one in stored}
    links = {}
    for tenant in {item.scope.tenant for item in items.values()}:
        links |= await world.kept.links_of(tenant, sorted(items))
    ordered = sorted(
        links.values(), key=lambda each: (items[each.memory_id].created_at, each.memory_id)
    )
    first: dict[str, tuple[str, str]] = {}
    for each in ordered:
        for one in each.mentions:
            first.setdefault(one.entity_id, (each.memory_id, one.key))
    return {
        each.memory_id: (
            frozenset((first[one.entity_id], one.surface, one.key) for one in each.mentions),
            frozenset(
                (first[one.source], one.relation, first[one.target], one.quote)
                for one in each.relations
            ),
            frozenset((first.get(one.kept), first.get(one.gone), one.by) for one in each.merges),
        )
        for each in ordered
    }


async def kinds(world: World | Compared, scope: Scope = ALICE) -> set[tuple[str, str]]:
    """The kinds of entities, by name."""
    found = await world.kept.entities(scope, apart=True, limit=1000)
    return {(one.entity.name, one.entity.kind.value) for one in found}
