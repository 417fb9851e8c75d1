"""A store that is another one, but for what a subclass does itself."""

from __future__ import annotations

import builtins
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence

from ..errors import StoreError
from ..ports import ACTIVE, KeywordSearch, VectorStore
from ..types import MemoryItem, MemoryStatus, Scope, ScoredMemory, StoredMemory, Vector


class ForwardingStore(ABC):
    """A `VectorStore`, and a `KeywordSearch` where the other is one: every call is passed on."""

    @property
    @abstractmethod
    def _store(self) -> VectorStore:
        """The other one. Raises StoreError if there is none at the moment."""

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        await self._store.put(memories)

    async def search(
        self,
        scope: Scope,
        vector: Vector,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        fresh: bool = False,
    ) -> builtins.list[ScoredMemory]:
        return await self._store.search(scope, vector, limit=limit, statuses=statuses, fresh=fresh)

    @property
    def keywords(self) -> bool:
        store = self._store
        return isinstance(store, KeywordSearch) and store.keywords

    async def search_keywords(
        self,
        scope: Scope,
        terms: Sequence[str],
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
    ) -> builtins.list[ScoredMemory]:
        store = self._store
        if not isinstance(store, KeywordSearch):
            raise StoreError("the memory store cannot search for keywords")
        return await store.search_keywords(scope, terms, limit=limit, statuses=statuses)

    async def get(self, tenant: str, ids: Sequence[str]) -> builtins.list[MemoryItem]:
        return await self._store.get(tenant, ids)

    async def list(
        self,
        scope: Scope,
        *,
        limit: int | None,
        statuses: Collection[MemoryStatus] = ACTIVE,
    ) -> builtins.list[MemoryItem]:
        return await self._store.list(scope, limit=limit, statuses=statuses)

    async def load(
        self,
        scope: Scope,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        fresh: bool = False,
    ) -> builtins.list[StoredMemory]:
        return await self._store.load(scope, limit=limit, statuses=statuses, fresh=fresh)

    async def count(
        self, scope: Scope, *, statuses: Collection[MemoryStatus] = ACTIVE, fresh: bool = False
    ) -> int:
        return await self._store.count(scope, statuses=statuses, fresh=fresh)

    async def scan(self, *, after: str | None, limit: int) -> builtins.list[StoredMemory]:
        return await self._store.scan(after=after, limit=limit)

    async def delete(self, tenant: str, ids: Sequence[str]) -> None:
        await self._store.delete(tenant, ids)

    async def reset(self, tenant: str) -> None:
        await self._store.reset(tenant)

    async def ping(self) -> None:
        await self._store.ping()

    async def maintain(self) -> None:
        await self._store.maintain()

    async def close(self) -> None:
        await self._store.close()
