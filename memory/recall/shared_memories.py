"""The memories that are attached to a scope and are not its own, as a recall in it sees them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ..database.attachments import SqlAttachments
from ..memories import SqlMemories
from ..model.filters import Condition, Filter, Operator, field_of
from ..model.shares import Attachment, ShareKind, ShareRights
from ..model.types import ACTIVE, MemoryItem, OwnerRef, Provenance, Scope, Source, StoredMemory
from ..util.lru import Lru
from .index.entry import NOTHING_SHARED, SharedMemories
from .index.hot_indexes import HotIndexes

SHARE = "share:"
"""Before the id of a memory, in the announcement that it was attached or detached."""
MOST_SHARED = 1_000
"""Memories attached to one scope that are shown; the newest attachments count."""
MOST_SCOPES = 10_000
MOST_TENANTS = 10_000


def item_seen_from(asking: Scope, item: MemoryItem) -> MemoryItem:
    """A memory of another scope as this scope sees it: its own scope, and who said it.

    Of another user's memory the evidence stays with its owner: turns, conversation and quote.
    """
    here = Scope(
        tenant=asking.tenant,
        user_id=asking.user_id,
        agent_id=asking.agent_id,
        run_id=asking.run_id,
    )
    told = item.provenance
    if item.scope.user_id == asking.user_id:
        return replace(item, scope=here, provenance=replace(told, shared=True))
    # "User likes tea" is about another user than the one who reads it.
    source = told.source if told.source.is_hearsay else Source.IMPORTED
    evidence = Provenance(
        source=source, sequence=told.sequence, recorded_at=told.recorded_at, shared=True
    )
    return replace(item, scope=here, provenance=evidence)


class SharedMemoryReader:
    """Finds what is attached to a scope, and keeps it until it changes.

    Isolation: a memory is seen only if an attachment of exactly this tenant names it and its `to`
    admits the scope, and only while it is active.
    """

    def __init__(
        self, attachments: SqlAttachments, store: SqlMemories, indexes: HotIndexes
    ) -> None:
        """`indexes` tell the writes of all processes."""
        self._attachments = attachments
        self._store = store
        self._indexes = indexes
        self._tenants: Lru[str, bool] = Lru(MOST_TENANTS)
        self._kept: Lru[Scope, SharedMemories] = Lru(MOST_SCOPES, tags=lambda shared: shared.named)
        self._epoch = 0
        indexes.on_written.append(self._wrote)

    async def get(self, scope: Scope) -> SharedMemories:
        """What is attached to a scope. Of a tenant without attachments nothing is read twice.

        Raises:
            StateError, StoreError: it is not known, and cannot be read.
        """
        has_any = self._tenants.get(scope.tenant)
        if has_any is None:
            epoch = self._epoch
            has_any = await self._attachments.exist(scope.tenant)
            if epoch == self._epoch:
                self._tenants.put(scope.tenant, has_any)
        if not has_any:
            return NOTHING_SHARED
        await self._indexes.fresh()
        if (kept := self._kept.get(scope)) is not None:
            return kept
        epoch = self._epoch
        found = await self._read(scope)
        if epoch == self._epoch:  # or else something changed while it was read
            self._kept.put(scope, found)
        return found

    async def find(self, scope: Scope, memory_id: str) -> MemoryItem | None:
        """The memory with this id that is attached to a scope, as the scope sees it."""
        found = (each.item for each in (await self.get(scope)).memories)
        return next((item for item in found if item.id == memory_id), None)

    def forget(self, owner_ref: OwnerRef, memory_id: str | None = None, /) -> None:
        """Drop what is known of a tenant if an attachment changed, or everything is forgotten."""
        tenant = owner_ref if isinstance(owner_ref, str) else owner_ref.tenant
        if memory_id is None or str(memory_id).startswith(SHARE):
            self._epoch += 1
            self._tenants.drop(tenant.__eq__)
            self._kept.drop(lambda scope: scope.tenant == tenant)
        else:
            self._wrote({str(memory_id)})

    def clear(self) -> None:
        """Drop everything: announcements may have been missed."""
        self._epoch += 1
        self._tenants.drop(lambda _: True)
        self._kept.drop(lambda _: True)

    def _wrote(self, ids: Collection[str]) -> None:
        self._epoch += 1
        if len(self._kept):
            for memory_id in ids:
                self._kept.drop(lambda _: True, tag=memory_id)

    async def _read(self, scope: Scope) -> SharedMemories:
        found = await self._attachments.for_scope(scope, ShareKind.MEMORY)
        foreign = [each for each in found if not scope.admits(each.owner)]
        newest = sorted(foreign, key=lambda each: each.created_at, reverse=True)[:MOST_SHARED]
        if not newest:
            return NOTHING_SHARED
        memories = await self._loaded(scope.tenant, newest)
        return SharedMemories(
            memories=[replace(one, item=item_seen_from(scope, one.item)) for one in memories],
            scope=scope,
            ids=frozenset(each.item.id for each in memories),
            named=frozenset(each.item_id for each in newest),
        )

    async def _loaded(self, tenant: str, attachments: Sequence[Attachment]) -> list[StoredMemory]:
        """The active memories of these attachments that are still their owners', with vectors."""
        wanted = {each.item_id: each.owner for each in attachments}
        items = await self._store.get(tenant, list(wanted))
        there = [one for one in items if one.status in ACTIVE and one.scope == wanted[one.id]]
        vectors: dict[str, StoredMemory] = {}
        for owner in {item.scope for item in there}:
            ids = {item.id for item in there if item.scope == owner}
            loaded = await self._store.load(
                owner, limit=len(ids), statuses=ACTIVE, where=_with_ids(ids)
            )
            vectors.update({memory.item.id: memory for memory in loaded})
        return [vectors[item.id] for item in there if item.id in vectors]


async def rights_to(
    attachments: SqlAttachments, scope: Scope, memory_id: str
) -> ShareRights | None:
    """What a scope may do with a memory that is attached to it, read anew; None: nothing."""
    found = await attachments.for_scope(scope, ShareKind.MEMORY)
    rights = {each.rights for each in found if each.item_id == memory_id}
    return max(rights, key=lambda one: one is ShareRights.WRITE, default=None)


def _with_ids(ids: Collection[str]) -> Filter:
    return Condition(field_of("id"), Operator.IN, tuple(sorted(ids)))
