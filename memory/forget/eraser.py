"""Erases rows with their history, counters and links, and the turns they came from."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ..model.graph import graph_owner
from ..model.owner import owning_tenant
from ..model.shares import ShareKind
from ..model.types import MemoryItem, OwnerRef, Scope
from ..records.writing import InsidePorts
from .buried import PAGE, pages
from .falling import mark_of
from .history import blank_texts, orphaned
from .passages import tombstone_of
from .receipt import Tally
from .targets import Ids, evidence, is_fleeting, is_version

MOST_ROWS = 1_000
"""Memories that one transaction erases: whoever writes meanwhile waits for it."""


@dataclass(slots=True)
class Erased:
    """What a transaction of forgetting did."""

    tally: Tally = field(default_factory=Tally)
    rows: list[MemoryItem] = field(default_factory=list)
    """As they were."""
    scopes: frozenset[Scope] = frozenset()
    """Those that a forget by id touched."""
    left: int = 0
    """What a query still finds of it: 0, unless there is a defect."""
    more: bool = False
    """Whether a further transaction is to erase the rest."""

    def add(self, other: Erased) -> None:
        """Count what another transaction did, which was later."""
        self.tally.add(other.tally)
        self.rows += other.rows
        self.left, self.more = other.left, other.more


class Eraser:
    """Erases within one transaction. All methods raise StoreError and StateError."""

    def __init__(self, ports: InsidePorts) -> None:
        self._ports = ports
        self._state = ports.state
        self._tally = Tally()

    async def erase_ids(self, target: Ids) -> Erased:
        """Erase memories by their ids, with what falls with them, and the turns that were named."""
        rows = await target.rows()
        fell = target.fell
        told = sorted({*evidence(item for item in rows if item.id not in fell), *target.said.turns})
        marked = told if target.meant else sorted(target.said.turns)
        # Nobody else knows the ids of a check that runs every minute.
        fleeting = {item.id for item in rows if is_fleeting(item)}
        ids = target.ids.union(item.id for item in rows) - fleeting
        names = {*ids, *map(tombstone_of, target.said.turns), *map(mark_of, marked)}
        await self._bury(target.tenant, sorted(names))
        for turns in pages(told, PAGE):
            self._tally.turns += await self._state.conversations.erase_turns(target.tenant, turns)
        self._tally.fell |= fell & {item.id for item in rows}
        await self._erase_rows(target.tenant, rows, named=target.ids)
        # History and counters without rows.
        self._tally.history += await self._erase_history(target.tenant, target.ids)
        named = target.ids | target.said.passages
        self._tally.usage += await self._erase_usage(target.tenant, named)
        self._tally.ids |= target.said.passages
        for scope in target.scopes:
            await self._state.jobs.drop_answers(scope)
        left: Sequence[object] = await self._ports.memories.get(
            target.tenant, sorted(self._tally.ids)
        )
        left = [*left, *await self._state.conversations.named(target.tenant, told)]
        return Erased(self._tally, rows, target.scopes, len(left))

    async def erase_all(self, owner_ref: OwnerRef, *, first: bool) -> Erased:
        """Erase everything of a scope or a tenant, at most `MOST_ROWS` of its memories.

        What began before the `first` of these transactions writes nothing afterwards.
        """
        tenant = owning_tenant(owner_ref)
        if first:
            self._tally.turns = await self._state.conversations.erase(owner_ref)
            self._tally.jobs = await self._state.jobs.erase(owner_ref)
            self._tally.blocks = await self._erase_blocks(owner_ref)
            await self._state.runs.erase(owner_ref)
            await self._state.tombstones.close_scope(owner_ref)
        rows = await self._ports.memories.walk(owner_ref, after=None, limit=MOST_ROWS)
        await self._bury(tenant, [item.id for item in rows if not is_fleeting(item)])
        for turns in pages(evidence(rows), PAGE):
            self._tally.turns += await self._state.conversations.erase_turns(tenant, turns)
        await self._erase_rows(tenant, rows)
        if len(rows) == MOST_ROWS:
            return Erased(self._tally, rows, more=True)
        await self._erase_rest(owner_ref)
        left = await self._ports.memories.walk(owner_ref, after=None, limit=1)
        return Erased(self._tally, rows, left=len(left))

    async def erase_turns(self, tenant: str, turn_ids: Sequence[str], said: Collection[str]) -> int:
        """Erase the texts of turns, and the counters of what was said in them; how many texts."""
        erased = 0
        for turns in pages(turn_ids, PAGE):
            erased += await self._state.conversations.erase_turns(tenant, turns)
        await self._erase_usage(tenant, said)
        return erased

    async def _erase_rest(self, owner_ref: OwnerRef) -> None:
        await self._state.attachments.erase(owner_ref)
        if isinstance(owner_ref, Scope):
            self._tally.history += await self._ports.history.erase_scope(owner_ref)
            if (graph := self._ports.graph) is not None:
                # Nothing is to be linked again of whom nothing is left.
                await graph.disturb(graph_owner(owner_ref))
        else:
            await self._state.usage.reset(owner_ref)
            await self._ports.history.reset(owner_ref)
            await self._ports.memories.reset(owner_ref)

    async def _erase_blocks(self, owner_ref: OwnerRef) -> int:
        """Erase working blocks, and what an owner attached to others or others to it."""
        found = await self._state.blocks.of_owner(owner_ref)
        await self._state.attachments.erase(owner_ref)
        return await self._state.blocks.delete(
            owning_tenant(owner_ref), [each.id for each in found]
        )

    async def _bury(self, tenant: str, ids: Sequence[str]) -> None:
        """Write tombstones, so that these memories are never written again."""
        for page in pages(ids, PAGE):
            await self._state.tombstones.add(tenant, page)

    async def _erase_rows(
        self, tenant: str, rows: Sequence[MemoryItem], *, named: Collection[str] = frozenset()
    ) -> None:
        """Erase rows, their history and counters.

        Memories that are neither erased nor `named` stay; their history loses the versions' texts.
        """
        ids = {item.id for item in rows}
        if stay := orphaned(rows, ids.union(named)):
            blank = blank_texts(self._ports.history, self._state.tombstones, tenant, stay)
            self._tally.history += await blank
        self._tally.history += await self._erase_history(tenant, ids)
        self._tally.usage += await self._erase_usage(tenant, ids)
        for page in pages(sorted(ids), PAGE):
            await self._state.attachments.erase_items(tenant, ShareKind.MEMORY, page)
            await self._count_links(tenant, page)
            await self._ports.memories.delete(tenant, page)
        versions = {item.id for item in rows if is_version(item)}
        self._tally.versions += len(versions)
        self._tally.memories += len(ids - versions)
        self._tally.ids |= ids

    async def _count_links(self, tenant: str, ids: Collection[str]) -> None:
        """Count what these memories say of entities, and the entities that will be no more."""
        if (graph := self._ports.graph) is not None:
            links, entities = await graph.held_by(tenant, ids)
            self._tally.links += links
            self._tally.entities += entities

    async def _erase_usage(self, tenant: str, ids: Collection[str]) -> int:
        erased = 0
        for page in pages(sorted(ids), PAGE):
            erased += await self._state.usage.erase(tenant, page)
        return erased

    async def _erase_history(self, tenant: str, ids: Collection[str]) -> int:
        erased = 0
        for page in pages(sorted(ids), PAGE):
            erased += await self._ports.history.erase(tenant, page)
        return erased
