"""Links memories as they are stored now: some that were written, or all of an owner."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

from ...database.graph import SqlGraph
from ...memories import SqlMemories, walked
from ...model.errors import StateError
from ...model.graph import (
    Entity,
    EntityMerge,
    MemoryLinks,
    ReadVersion,
    Refold,
    graph_owner,
)
from ...model.scope import Scope
from ...model.types import MemoryItem, MemoryStatus
from ...records.writing import InsidePorts, MemoryWriter
from ...util.fair_thread_pool import FairThreadPool
from ...util.idle_gate import Pause, at_once
from ..reading import GraphReading, read
from .folding import Fold, Pair, ReadMemory
from .known_entities import KnownEntities
from .link_changes import disturb, moved, says_as_before
from .packed_memory import PackedMemory

PAGE = 125
"""Memories that are read at a time, and written: a writer of another process waits for these."""
MOST_FETCHED = 5000
"""Entities that are read for some memories."""
INLINE = 8
"""So few memories are read on the loop: handing them to a thread costs more."""

T = TypeVar("T")
Told = Callable[[int], None]
"""Told how many more memories were linked."""


class _OvertakenError(Exception):
    """A memory that named somebody first is not there any more."""


class Linker:
    """Reads texts, resolves whom they speak of, and writes it to the graph.

    Links are written in the transaction that sees what they were read from. All methods raise
    StateError and StoreError; repeat them.
    """

    def __init__(
        self,
        graph: SqlGraph,
        store: SqlMemories,
        writer: MemoryWriter,
        *,
        bulk: FairThreadPool | None = None,
        pause: Pause = at_once,
    ) -> None:
        """`bulk` computes what would hold the loop; `pause` is awaited between such steps."""
        self._graph = graph
        self._store = store
        self._bulk = bulk
        self._pause = pause
        self._writer = writer

    async def link(self, owner: Scope, items: Sequence[MemoryItem]) -> int:
        """Link these memories of an owner, with what is known by now; returns how many.

        Those that were written since they were read, or linked by somebody else, are left.
        """
        memories = await self._read(owner, items)
        versions = {each.id: each.version for each in memories}

        async def work(ports: InsidePorts) -> int:
            graph = _graph_in(ports)
            latest = await graph.latest(owner)
            there = await graph.claim(owner.tenant, versions)
            mine = [each for each in memories if there.get(each.id)]
            if not mine:
                return 0
            before = await graph.links_of(owner.tenant, [each.id for each in mine])
            new = [each for each in mine if not says_as_before(before.get(each.id), each)]
            new = [each for each in new if each.reading.mentions or each.id in before]
            crowded = await _link_new(graph, owner, new, before)
            if crowded or disturb(before, mine, latest):
                await graph.disturb(owner)
            elif new:
                await graph.come_between(owner)
            return len(mine)

        return await self._writer.change(work, tenants={owner.tenant})

    async def link_all(self, owner: Scope, told: Told | None = None) -> bool:
        """Link all memories of an owner as if it were for the first time.

        What is linked that way already is not written again. Returns whether nothing came between:
        nobody else began it, and nothing was written that others may speak of otherwise.
        """
        refold = await self._graph.begin(owner)
        memories = await self._read_all(owner)
        fold, kept = await self._fold(owner), await self._graph.founded(owner)
        for page in _pages(memories, PAGE):
            before = await self._graph.links_of(owner.tenant, [each.id for each in page])
            fold.expect(before)
            links, entities = await self._computed(owner, partial(_unpacked, fold, page))
            firm = fold.founders(kept)
            new = [
                one
                for one in links
                if one.memory_id in firm or moved(before.get(one.memory_id), one)
            ]
            versions = {each.id: each.version for each in page}
            if not await self._write(refold, versions, new, entities):
                return False
            await self._pause()
            if told is not None:
                told(len(page))
        return await self._graph.end(refold)

    async def _read(self, owner: Scope, items: Sequence[MemoryItem]) -> list[ReadMemory]:
        """These memories, read, in their order."""
        if len(items) <= INLINE:
            memories = read_all(items)
        else:
            memories = await self._computed(owner, partial(read_all, items))
        return sorted(memories, key=lambda each: each.order)

    async def _read_all(self, owner: Scope) -> list[PackedMemory]:
        memories: list[PackedMemory] = []
        async for page in walked(self._store, owner, page=PAGE):
            memories += await self._computed(owner, partial(_packed, _active(page, owner)))
            await self._pause()
        return sorted(memories, key=lambda each: each.order)

    async def _fold(self, owner: Scope) -> Fold:
        """Everything from nothing, but what people decided."""
        ledger, known = await _ledger(self._graph, owner), KnownEntities()
        for merge in ledger:
            if merge.memory_id is None and merge.undone_at is None:
                known.join(merge.kept, merge.gone)
        return Fold(owner, known, parted=_parted(ledger))

    async def _write(
        self,
        refold: Refold,
        versions: Mapping[str, ReadVersion],
        links: Sequence[MemoryLinks],
        entities: Sequence[Entity],
    ) -> bool:
        """Keep links of those memories that are still as they were read; False: begin again."""
        owner = refold.owner

        async def work(ports: InsidePorts) -> bool:
            graph = _graph_in(ports)
            if not await graph.goes_on(refold):
                return False
            there = await graph.claim(owner.tenant, versions)
            if len(there) < len(versions):  # others were linked as if these were as they were
                await graph.come_between(owner)
            if await graph.link([each for each in links if each.memory_id in there], entities):
                raise _OvertakenError
            return True

        try:
            return await self._writer.change(work, tenants={owner.tenant})
        except _OvertakenError:
            return False

    async def _computed(self, owner: Scope, work: Callable[[], T]) -> T:
        """What `work` returns, computed where it does not hold the loop."""
        if self._bulk is None:
            return await asyncio.to_thread(work)
        return await self._bulk.run(("graph", owner), work)


def _graph_in(ports: InsidePorts) -> SqlGraph:
    assert ports.graph is not None  # noqa: S101 - it is linked
    return ports.graph


def read_all(items: Sequence[MemoryItem]) -> list[ReadMemory]:
    """These memories, read."""
    return [ReadMemory.of(item, reading_of(item)) for item in items]


def reading_of(item: MemoryItem) -> GraphReading:
    """Whom and what a memory speaks of, by its text and by what a model found in it."""
    origin = item.provenance
    triple = (origin.subject, origin.predicate, origin.object)
    return read(item.text, claims=origin.claims, triple=triple)


async def _link_new(
    graph: SqlGraph,
    owner: Scope,
    memories: Sequence[ReadMemory],
    before: Mapping[str, MemoryLinks],
) -> bool:
    """Keep what these say; returns whether it has more entities of some names than were read."""
    if not memories:
        return False
    keys = sorted({key for each in memories for key in each.reading.lookup()})
    known = await graph.resolve(owner, keys, limit=MOST_FETCHED) if keys else []
    links, entities = _folded(Fold(owner, KnownEntities(known), before=before), memories)
    if any(each.merges for each in links):  # seldom, so the ledger is only read then
        parted = _parted(await _ledger(graph, owner))
        fold = Fold(owner, KnownEntities(known), parted=parted, before=before)
        links, entities = _folded(fold, memories)
    if left := await graph.link(links, entities):
        raise StateError(f"an entity of {min(left)!r} belongs to another owner")
    return len(known) >= MOST_FETCHED


async def _ledger(graph: SqlGraph, owner: Scope) -> list[EntityMerge]:
    ledger: list[EntityMerge] = []
    while page := await graph.merges(owner, limit=PAGE, offset=len(ledger)):
        ledger += page
    return ledger


def _packed(items: Sequence[MemoryItem]) -> list[PackedMemory]:
    return [PackedMemory.of(each) for each in read_all(items)]


def _unpacked(
    fold: Fold, memories: Sequence[PackedMemory]
) -> tuple[list[MemoryLinks], list[Entity]]:
    return _folded(fold, [each.memory for each in memories])


def _folded(fold: Fold, memories: Sequence[ReadMemory]) -> tuple[list[MemoryLinks], list[Entity]]:
    links = [fold.add(each) for each in memories]
    return links, fold.entities_of(links)


def _active(items: Iterable[MemoryItem], owner: Scope) -> list[MemoryItem]:
    """Those that belong to the graph of an owner."""
    return [
        item
        for item in items
        if item.status is MemoryStatus.ACTIVE and graph_owner(item.scope) == owner
    ]


def _parted(ledger: Iterable[EntityMerge]) -> set[Pair]:
    """The pairs that a person said are not one, and nobody said since that they are."""
    holds = {frozenset((m.kept, m.gone)) for m in ledger if m.undone_at is None and not m.memory_id}
    undone = {frozenset((m.kept, m.gone)) for m in ledger if m.undone_at is not None}
    return undone - holds


def _pages(them: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for at in range(0, len(them), size):
        yield them[at : at + size]
