"""The graph in any SQL database."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from ...model.graph import (
    ConnectedMemory,
    Entity,
    EntityKind,
    EntityMerge,
    EntityRelation,
    KnownEntity,
    MemoryLinks,
)
from ...model.owner import owning_tenant
from ...model.times import to_ms
from ...model.types import OwnerRef, Scope
from ..scripts import ScriptRunner
from . import connecting, counting, ledger, mending, reading, writing

_BITS = 62
"""Of the number of a mark: it fits in a column of 64 bits, and no two are the same."""


class SqlGraph:
    """A `GraphStore` in one SQL database."""

    def __init__(self, scripts: ScriptRunner) -> None:
        self.scripts = scripts
        """Runs scripts in the graph's database."""

    async def mark(self, memories: Mapping[str, Scope]) -> int:
        number = secrets.randbits(_BITS)
        tenants = {scope.tenant for scope in memories.values()}
        if memories:
            await self.scripts.change(lambda: writing.mark(memories, number), tenants=tenants)
        return number

    async def marked(self, *, limit: int) -> dict[str, Scope]:
        return await self.scripts.read(lambda: reading.marked(limit))

    async def link(
        self,
        links: Sequence[MemoryLinks],
        entities: Sequence[Entity],
        *,
        marks: Collection[int] | None = None,
    ) -> frozenset[str]:
        if not links:
            return frozenset()
        return await self.scripts.change(
            lambda: writing.link(links, entities, marks),
            tenants={each.scope.tenant for each in links},
        )

    async def unlink(
        self, tenant: str, memory_ids: Collection[str], *, marks: Collection[int] | None = None
    ) -> int:
        if not memory_ids:
            return 0
        return await self.scripts.change(
            lambda: writing.unlink(tenant, memory_ids, marks), tenants={tenant}, erases=True
        )

    async def resolve(
        self, owner: Scope, keys: Collection[str], *, limit: int = 200
    ) -> list[KnownEntity]:
        return await self.scripts.read(lambda: reading.resolve(owner, keys, limit))

    async def entities(
        self,
        owner_ref: OwnerRef,
        *,
        name: str | None = None,
        also: str | None = None,
        ids: Collection[str] | None = None,
        apart: bool = False,
        limit: int = 100,
        offset: int = 0,
    ) -> list[KnownEntity]:
        wanted = reading.EntityFilter(
            name=name, also=also, ids=ids, apart=apart, limit=limit, offset=offset
        )
        return await self.scripts.read(lambda: reading.entities(owner_ref, wanted))

    async def links_of(self, tenant: str, memory_ids: Collection[str]) -> dict[str, MemoryLinks]:
        return await self.scripts.read(lambda: reading.links_of(tenant, memory_ids))

    async def memories_of(
        self,
        owner_ref: OwnerRef,
        entity_ids: Collection[str],
        *,
        limit: int,
        after: str | None = None,
    ) -> list[str]:
        return await self.scripts.read(
            lambda: reading.memories_of(owner_ref, entity_ids, limit, after)
        )

    async def relations(
        self,
        owner_ref: OwnerRef,
        entity_ids: Collection[str],
        *,
        relation: str | None = None,
        limit: int,
        offset: int = 0,
    ) -> list[EntityRelation]:
        return await self.scripts.read(
            lambda: reading.relations(owner_ref, entity_ids, relation, limit, offset)
        )

    async def connected(
        self, scope: Scope, memory_ids: Collection[str], *, limit: int, most_spread: int = 50
    ) -> list[ConnectedMemory]:
        return await self.scripts.read(
            lambda: connecting.connected(scope, memory_ids, limit, most_spread)
        )

    async def aliases(self, scope: Scope, memory_ids: Collection[str]) -> dict[str, frozenset[str]]:
        return await self.scripts.read(lambda: connecting.aliases(scope, memory_ids))

    async def merge(self, merge: EntityMerge) -> bool:
        return await self.scripts.change(lambda: ledger.merge(merge), tenants={merge.owner.tenant})

    async def merges(
        self,
        owner_ref: OwnerRef,
        *,
        ids: Collection[str] | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[EntityMerge]:
        return await self.scripts.read(lambda: reading.merges(owner_ref, ids, limit, offset))

    async def undo_merge(self, tenant: str, merge_id: str, *, at: datetime) -> EntityMerge | None:
        return await self.scripts.change(
            lambda: ledger.undo(tenant, merge_id, to_ms(at)), tenants={tenant}
        )

    async def linked(self, owner_ref: OwnerRef) -> dict[str, int]:
        return await self.scripts.read(lambda: reading.linked(owner_ref))

    async def latest(self, owner: Scope) -> tuple[datetime, str] | None:
        return await self.scripts.read(lambda: reading.latest(owner))

    async def founded(self, owner: Scope) -> dict[str, tuple[EntityKind, datetime]]:
        return await self.scripts.read(lambda: reading.founded(owner))

    async def note(self, name: str) -> str | None:
        return await self.scripts.read(lambda: reading.note(name))

    async def keep_note(self, name: str, value: str | None) -> None:
        await self.scripts.change(lambda: writing.keep_note(name, value), tenants=())

    async def counts(self, owner_ref: OwnerRef | None = None) -> dict[str, int]:
        return await self.scripts.read(lambda: counting.counts(owner_ref))

    async def erase(self, owner_ref: OwnerRef) -> int:
        return await self.scripts.change(
            lambda: writing.erase(owner_ref), tenants={owning_tenant(owner_ref)}, erases=True
        )

    async def clear(self) -> bool:
        """Drop everything, of all tenants; whether there was anything."""
        return await self.scripts.change(writing.clear, tenants=(), erases=True)

    async def mend(self) -> None:
        """Drop what hangs in the air, if nothing was noted: then this was a damaged file."""
        if await self.scripts.read(mending.noteless):
            await self.scripts.change(mending.sweep, tenants=())

    async def ping(self) -> None:
        await self.scripts.ping()

    async def close(self) -> None:
        await self.scripts.close()
