"""Links memories as they are stored now: some that were written, or all of an owner."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar

from ...model.graph import (
    Entity,
    EntityMerge,
    GraphStore,
    KnownEntity,
    MemoryLinks,
    graph_owner,
)
from ...model.ports import VectorStore
from ...model.scope import Scope
from ...model.types import MemoryItem, MemoryStatus, OwnerRef
from ...model.wide import walked
from ...records.writing import InsidePorts, MemoryWriter
from ...util.fair_thread_pool import FairThreadPool
from ...util.quiet import Pause, at_once
from ..reading import GraphReading, read
from .comparing import any_disturbs, as_before, moved
from .due import ChangedMemories
from .folding import Fold, Pair, ReadMemory
from .ids import whole_mark
from .known import KnownEntities
from .packed import PackedMemory

PAGE = 125
"""Memories that are read at a time."""
BATCH = 125
"""Memories that are written at a time: a writer of another process waits for one of these."""
MOST_FETCHED = 5000
"""Entities that are read for some memories."""
INLINE = 8
"""So few memories are read on the loop: handing them to a thread costs more."""

T = TypeVar("T")
Moment = tuple[datetime, str]
"""When a memory was made, and its id: in this order they are linked."""
Told = Callable[[int], None]
"""Told how many more memories were linked."""


@dataclass(frozen=True, slots=True)
class Linked:
    """What one step did."""

    memories: int = 0
    """That were linked or unlinked."""
    disturbed: frozenset[Scope] = frozenset()
    """Owners whose other memories may have to be linked otherwise because of it."""
    again: frozenset[str] = frozenset()
    """Memories that are to be read again."""


class Linker:
    """Reads texts, resolves whom they speak of, and writes it to the graph.

    Links are written in the transaction that sees what they were read from. Steps must not run at
    the same time. All methods raise StateError and StoreError; repeat them.
    """

    def __init__(
        self,
        graph: GraphStore,
        store: VectorStore,
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
        self._crowded: set[Scope] = set()
        """Owners with more entities of some names than were read."""

    async def link(self, changed: ChangedMemories, *, marked: Collection[Scope] = ()) -> Linked:
        """Link these memories of an owner as they are stored, or unlink them.

        `marked` are owners of whom it is noted already that all is to be linked again.
        """
        owner, ids = changed.owner, sorted(changed.marks)
        found = await self._graph.links_of(owner.tenant, ids)
        before = {each: one for each, one in found.items() if graph_owner(one.scope) == owner}
        memories = await self._read(owner, await self._stored(changed))
        latest = await self._graph.latest(owner) if memories else None
        gone = set(ids) - {each.id for each in memories}
        links, entities = await self._linked(owner, memories, before)
        # A memory that another owner had was written into another scope.
        disturbed = {graph_owner(one.scope) for one in found.values() if one.mentions} - {owner}
        if any_disturbs(before, memories, gone, latest) or owner in self._crowded:
            disturbed.add(owner)
            self._crowded.discard(owner)
        if new := disturbed.difference(marked):
            await self._graph.mark({whole_mark(each): each for each in new})
        again = frozenset[str]()
        for some, marks in _by_marks(changed.marks):
            await self._unlinked(owner.tenant, some & gone, marks)
            there = [each for each in links if each.memory_id in some]
            again |= await self._write(there, entities, marks, since=(latest,))
            latest = max([*filter(None, [latest]), *map(_moment, there)], default=None)
        return Linked(len(ids), frozenset(disturbed), again)

    async def _stored(self, changed: ChangedMemories) -> list[MemoryItem]:
        """What is stored and active of these."""
        items = await self._store.get(changed.owner.tenant, sorted(changed.marks))
        return _active(items, changed.owner)

    async def link_all(self, owner: Scope, told: Told | None = None) -> int:
        """Link all memories of an owner as if it were for the first time; returns how many.

        What is linked that way already is not written again. Marks stay.
        """
        memories = await self._read_all(owner)
        fold, kept = await self._fold(owner), await self._graph.founded(owner)
        for page in _pages(memories, PAGE):
            found = await self._graph.links_of(owner.tenant, [each.id for each in page])
            before = {each: one for each, one in found.items() if graph_owner(one.scope) == owner}
            fold.expect(before)
            links, entities = await self._computed(owner, partial(_unpacked, fold, page))
            firm = fold.founders(kept)
            new = [
                one
                for one in links
                if one.memory_id in firm or moved(before.get(one.memory_id), one)
            ]
            for batch in _pages(new, BATCH):
                await self._write(batch, entities, frozenset())
                await self._pause()
            if told is not None:
                told(len(page))
        await self._unlink_others(owner, {each.id for each in memories})
        return len(memories)

    async def amiss(self, owner_ref: OwnerRef) -> dict[str, Scope]:
        """Memories of an owner or a tenant that are not linked as they are stored, or are gone."""
        linked = await self._graph.linked(owner_ref)
        found: dict[str, Scope] = {}
        async for page in walked(self._store, owner_ref, page=PAGE):
            for item in page:
                version = linked.pop(item.id, None)
                wanted = item.version if item.status is MemoryStatus.ACTIVE else None
                if version != wanted:
                    found[item.id] = item.scope
            await self._pause()
        tenant = owner_ref.tenant if isinstance(owner_ref, Scope) else owner_ref
        left = await self._links(tenant, list(linked))
        return found | {each: links.scope for each, links in left.items()}

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

    async def _linked(
        self, owner: Scope, memories: Sequence[ReadMemory], before: Mapping[str, MemoryLinks]
    ) -> tuple[list[MemoryLinks], list[Entity]]:
        """What these say, with what is known so far; and the entities that they speak of."""
        same = [kept for each in memories if (kept := as_before(before.get(each.id), each))]
        told = {each.memory_id for each in same}
        new = [each for each in memories if each.id not in told]
        known = await self._known(owner, new)
        if len(known) >= MOST_FETCHED:  # not all of them: everything is linked again afterwards
            self._crowded.add(owner)
        links, entities = _folded(Fold(owner, KnownEntities(known), before=before), new)
        if any(each.merges for each in links):  # seldom, so the ledger is only read then
            parted = _parted(await self._ledger(owner))
            fold = Fold(owner, KnownEntities(known), parted=parted, before=before)
            links, entities = _folded(fold, new)
        return [*links, *same], [*entities, *await self._named(owner, same)]

    async def _known(self, owner: Scope, memories: Sequence[ReadMemory]) -> list[KnownEntity]:
        """What these may speak of."""
        keys = {key for each in memories for key in each.reading.lookup()}
        if not keys:
            return []
        return await self._graph.resolve(owner, sorted(keys), limit=MOST_FETCHED)

    async def _named(self, owner: Scope, links: Sequence[MemoryLinks]) -> list[Entity]:
        ids = {mention.entity_id for each in links for mention in each.mentions}
        return [one.entity for one in await self._entities(owner, ids)]

    async def _entities(self, owner: Scope, ids: Collection[str]) -> list[KnownEntity]:
        if not ids:
            return []
        return await self._graph.entities(owner, ids=sorted(ids), apart=True, limit=len(ids))

    async def _fold(self, owner: Scope) -> Fold:
        """Everything from nothing, but what people decided."""
        ledger, known = await self._ledger(owner), KnownEntities()
        for merge in ledger:
            if merge.memory_id is None and merge.undone_at is None:
                known.join(merge.kept, merge.gone)
        return Fold(owner, known, parted=_parted(ledger))

    async def _ledger(self, owner: Scope) -> list[EntityMerge]:
        ledger: list[EntityMerge] = []
        while page := await self._graph.merges(owner, limit=PAGE, offset=len(ledger)):
            ledger += page
        return ledger

    async def _links(self, tenant: str, ids: Sequence[str]) -> dict[str, MemoryLinks]:
        found: dict[str, MemoryLinks] = {}
        for page in _pages(ids, PAGE):
            found |= await self._graph.links_of(tenant, page)
            await self._pause()
        return found

    async def _unlink_others(self, owner: Scope, there: Collection[str]) -> None:
        """Unlink what is linked in an owner's graph and not stored."""
        others = sorted((await self._graph.linked(owner)).keys() - there)
        links = await self._links(owner.tenant, others)
        own = [each for each in others if each in links and graph_owner(links[each].scope) == owner]
        for page in _pages(own, BATCH):
            items = await self._store.get(owner.tenant, page)  # it may have been added since
            still = {item.id for item in _active(items, owner)}
            await self._unlinked(owner.tenant, set(page) - still, frozenset())

    async def _unlinked(
        self, tenant: str, ids: Collection[str], marks: Collection[int] | None
    ) -> None:
        if ids:
            await self._graph.unlink(tenant, sorted(ids), marks=marks)

    async def _write(
        self,
        links: Sequence[MemoryLinks],
        entities: Sequence[Entity],
        marks: Collection[int] | None,
        *,
        since: tuple[Moment | None, ...] = (),
    ) -> frozenset[str]:
        """Keep links of what is stored as it was read; returns those that are to be read again.

        So are all if another process has linked a memory of their owner `since` the latest was
        this one: they may speak of the same.
        """
        if not links:
            return frozenset()
        tenant = links[0].scope.tenant
        ids = [each.memory_id for each in links]
        owner = graph_owner(links[0].scope)

        async def work(ports: InsidePorts) -> frozenset[str]:
            assert ports.graph is not None  # noqa: S101 - it is linked
            if since and await ports.graph.latest(owner) not in since:
                return frozenset(ids)
            now = {item.id: item for item in await ports.memories.get(tenant, ids)}
            there = [each for each in links if _is_linked_so(now.get(each.memory_id), each)]
            late = frozenset(now).difference(each.memory_id for each in there)
            if not there:
                return late
            named = {mention.entity_id for each in there for mention in each.mentions}
            known = [each for each in entities if each.id in named]
            return late | await ports.graph.link(there, known, marks=marks)

        return await self._writer.change(work, tenants={tenant})

    async def _computed(self, owner: Scope, work: Callable[[], T]) -> T:
        """What `work` returns, computed where it does not hold the loop."""
        if self._bulk is None:
            return await asyncio.to_thread(work)
        return await self._bulk.run(("graph", owner), work)


def read_all(items: Sequence[MemoryItem]) -> list[ReadMemory]:
    """These memories, read."""
    return [ReadMemory.of(item, reading_of(item)) for item in items]


def reading_of(item: MemoryItem) -> GraphReading:
    """Whom and what a memory speaks of, by its text and by what a model found in it."""
    origin = item.provenance
    triple = (origin.subject, origin.predicate, origin.object)
    return read(item.text, claims=origin.claims, triple=triple)


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


def _is_linked_so(item: MemoryItem | None, links: MemoryLinks) -> bool:
    """Whether the memory is still what these links were read from."""
    return (
        item is not None
        and item.status is MemoryStatus.ACTIVE
        and (item.scope, item.version) == (links.scope, links.version)
    )


def _moment(links: MemoryLinks) -> Moment:
    return links.created_at, links.memory_id


def _parted(ledger: Iterable[EntityMerge]) -> set[Pair]:
    """The pairs that a person said are not one, and nobody said since that they are."""
    holds = {frozenset((m.kept, m.gone)) for m in ledger if m.undone_at is None and not m.memory_id}
    undone = {frozenset((m.kept, m.gone)) for m in ledger if m.undone_at is not None}
    return undone - holds


def _by_marks(
    marks: Mapping[str, Collection[int]],
) -> Iterator[tuple[set[str], frozenset[int] | None]]:
    """The memories whose writes were marked, with all these marks; and the others."""
    numbered = {each for each, numbers in marks.items() if numbers}
    if numbered:
        yield numbered, frozenset(number for each in numbered for number in marks[each])
    if rest := marks.keys() - numbered:
        yield set(rest), None


def _pages(them: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for at in range(0, len(them), size):
        yield them[at : at + size]
