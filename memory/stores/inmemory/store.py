"""Memories in a dictionary, searched by a matrix product."""

from __future__ import annotations

import builtins
import heapq
from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from copy import deepcopy
from dataclasses import replace

import numpy as np

from ...memories.checks import checked_vector
from ...model.errors import StoreError
from ...model.owner import covers
from ...model.ports import ACTIVE, Analyzer
from ...model.types import (
    MemoryItem,
    MemoryStatus,
    OwnerRef,
    Scope,
    ScoredMemory,
    StoredMemory,
    Vector,
)
from ...model.wide import Counted
from ...query import EVERYTHING, Filter, passing, predicate
from .bm25 import bm25


class InMemoryStore:
    """`VectorStore` in this process.

    Memories are copied on the way in and out, so that a caller who changes a metadata dictionary or
    a vector afterwards changes nothing here, as with a database.
    """

    def __init__(self, *, dim: int, terms: Analyzer | None = None) -> None:
        self._dim = dim
        self._terms = terms
        self.keywords = terms is not None
        self._memories: dict[str, StoredMemory] = {}
        self._closed = False

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        self._check_open()
        copies = [_copied(memory, checked_vector(memory.vector, self._dim)) for memory in memories]
        self._memories.update((copy.item.id, copy) for copy in copies)

    async def search(
        self,
        scope: Scope,
        vector: Vector,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
        fresh: bool = False,  # noqa: ARG002 - every read here is fresh
    ) -> builtins.list[ScoredMemory]:
        self._check_open()
        query = checked_vector(vector, self._dim)
        found = await self._matching(scope, statuses, where)
        if not found or limit <= 0:
            return []
        scores = np.stack([memory.vector for memory in found]) @ query
        best = np.argsort(-scores, kind="stable")[:limit]
        return [
            ScoredMemory(_item_copy(found[i].item), float(np.clip(scores[i], -1.0, 1.0)))
            for i in best
        ]

    async def search_keywords(
        self,
        scope: Scope,
        terms: Sequence[str],
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> builtins.list[ScoredMemory]:
        self._check_open()
        if self._terms is None:
            raise StoreError("the memory store cannot search for keywords")
        found = await self._matching(scope, statuses, where)
        scores = bm25([self._terms(memory.item.text) for memory in found], terms)
        best = heapq.nlargest(limit, range(len(found)), key=scores.__getitem__)
        return [ScoredMemory(_item_copy(found[i].item), scores[i]) for i in best if scores[i] > 0]

    async def get(self, tenant: str, ids: Sequence[str]) -> builtins.list[MemoryItem]:
        self._check_open()
        return [_item_copy(self._memories[i].item) for i in set(ids) if self._owns(tenant, i)]

    async def list(
        self,
        scope: Scope,
        *,
        limit: int | None,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> builtins.list[MemoryItem]:
        self._check_open()
        items = [_item_copy(memory.item) for memory in await self._matching(scope, statuses, where)]
        items.sort(key=lambda item: (-item.created_at.timestamp(), item.id))
        return items if limit is None else items[: max(limit, 0)]

    async def load(
        self,
        scope: Scope,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
        fresh: bool = False,  # noqa: ARG002 - every read here is fresh
    ) -> builtins.list[StoredMemory]:
        self._check_open()
        return _first(await self._matching(scope, statuses, where), limit)

    async def count(
        self,
        scope: Scope,
        *,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
        fresh: bool = False,  # noqa: ARG002 - every read here is fresh
    ) -> int:
        self._check_open()
        return len(await self._matching(scope, statuses, where))

    async def scan(
        self, *, after: str | None, limit: int, owner_ref: OwnerRef | None = None
    ) -> builtins.list[StoredMemory]:
        self._check_open()
        later = (m for i, m in self._memories.items() if after is None or i > after)
        return _first(
            (m for m in later if owner_ref is None or covers(owner_ref, m.item.scope)), limit
        )

    async def walk(
        self, owner_ref: OwnerRef, *, after: str | None, limit: int
    ) -> builtins.list[MemoryItem]:
        return [m.item for m in await self.scan(after=after, limit=limit, owner_ref=owner_ref)]

    async def tally(
        self,
        owner_ref: OwnerRef | None,
        *,
        turns: AbstractSet[str] = frozenset(),
        waiting: bool = False,
    ) -> Counted:
        self._check_open()
        counted = Counted()
        for item in (memory.item for memory in self._memories.values()):
            if owner_ref is None or covers(owner_ref, item.scope):
                kind = item.type, item.status
                counted.see(item.scope, item.created_at, item.updated_at, kind)
                active = item.status is MemoryStatus.ACTIVE
                counted.told.update(turns & set(item.provenance.replaces) if active else ())
                if waiting and active and item.provenance.pending:
                    counted.waiting[item.id] = item.provenance.pending
        return counted

    async def owners(self, ids: Sequence[str]) -> dict[str, str]:
        self._check_open()
        known = (i for i in ids if i in self._memories)
        return {i: self._memories[i].item.scope.tenant for i in known}

    async def delete(self, tenant: str, ids: Sequence[str]) -> None:
        self._check_open()
        for memory_id in {i for i in ids if self._owns(tenant, i)}:
            del self._memories[memory_id]

    async def reset(self, tenant: str) -> None:
        self._check_open()
        self._memories = {
            i: memory for i, memory in self._memories.items() if memory.item.scope.tenant != tenant
        }

    async def ping(self) -> None:
        self._check_open()

    async def maintain(self) -> None:
        """Nothing to do: there is no file to flush."""
        self._check_open()

    async def close(self) -> None:
        self._closed = True
        self._memories.clear()

    async def _matching(
        self, scope: Scope, statuses: Collection[MemoryStatus], where: Filter
    ) -> builtins.list[StoredMemory]:
        among = [
            memory
            for memory in self._memories.values()
            if scope.admits(memory.item.scope) and memory.item.status in statuses
        ]
        if where == EVERYTHING:
            return among
        passes = predicate(where)
        return await passing(among, lambda memory: passes(memory.item))

    def _owns(self, tenant: str, memory_id: str) -> bool:
        memory = self._memories.get(memory_id)
        return memory is not None and memory.item.scope.tenant == tenant

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the memory store is closed")


def _first(memories: Iterable[StoredMemory], limit: int) -> list[StoredMemory]:
    """Copies of the first memories by id."""
    chosen = heapq.nsmallest(limit, memories, key=lambda memory: memory.item.id)
    return [_copied(memory, memory.vector) for memory in chosen]


def _copied(memory: StoredMemory, vector: Vector) -> StoredMemory:
    return replace(memory, item=_item_copy(memory.item), vector=vector.copy())


def _item_copy(item: MemoryItem) -> MemoryItem:
    return replace(item, metadata=deepcopy(dict(item.metadata)))
