"""A store that tells the hot indexes of every write: the one way memories get into both."""

from __future__ import annotations

import builtins
from collections.abc import Collection, Sequence

from ...errors import StoreError
from ...ports import ACTIVE, KeywordSearch, VectorStore
from ...types import MemoryItem, MemoryStatus, Scope, ScoredMemory, StoredMemory, Vector
from .hot import HotIndexes


class IndexedStore:
    """A `VectorStore` around another one. Reads pass; the index is read through `HotIndexes`.

    A write that failed or was cancelled may have happened: every index of its tenant is forgotten
    then, and built from what the store says.
    """

    def __init__(self, inner: VectorStore, indexes: HotIndexes) -> None:
        self._inner = inner
        self._indexes = indexes

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        try:
            await self._inner.put(memories)
        except BaseException:
            await self._indexes.drop(*{memory.item.scope.tenant for memory in memories})
            raise
        await self._indexes.wrote(memories)

    async def delete(self, tenant: str, ids: Sequence[str]) -> None:
        gone = await self._inner.get(tenant, ids) if self._indexes.has_versions else []
        try:
            await self._inner.delete(tenant, ids)
        except BaseException:
            await self._indexes.drop(tenant)
            raise
        await self._indexes.erased(tenant, ids, {item.scope for item in gone})

    async def reset(self, tenant: str) -> None:
        try:
            await self._inner.reset(tenant)
        finally:
            await self._indexes.drop(tenant)

    async def search(
        self,
        scope: Scope,
        vector: Vector,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        fresh: bool = False,
    ) -> builtins.list[ScoredMemory]:
        return await self._inner.search(scope, vector, limit=limit, statuses=statuses, fresh=fresh)

    async def get(self, tenant: str, ids: Sequence[str]) -> builtins.list[MemoryItem]:
        return await self._inner.get(tenant, ids)

    async def list(
        self,
        scope: Scope,
        *,
        limit: int | None,
        statuses: Collection[MemoryStatus] = ACTIVE,
    ) -> builtins.list[MemoryItem]:
        return await self._inner.list(scope, limit=limit, statuses=statuses)

    async def load(
        self,
        scope: Scope,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        fresh: bool = False,
    ) -> builtins.list[StoredMemory]:
        return await self._inner.load(scope, limit=limit, statuses=statuses, fresh=fresh)

    async def count(
        self, scope: Scope, *, statuses: Collection[MemoryStatus] = ACTIVE, fresh: bool = False
    ) -> int:
        return await self._inner.count(scope, statuses=statuses, fresh=fresh)

    async def scan(self, *, after: str | None, limit: int) -> builtins.list[StoredMemory]:
        return await self._inner.scan(after=after, limit=limit)

    @property
    def keywords(self) -> bool:
        return isinstance(self._inner, KeywordSearch) and self._inner.keywords

    async def search_keywords(
        self,
        scope: Scope,
        terms: Sequence[str],
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
    ) -> builtins.list[ScoredMemory]:
        if not isinstance(self._inner, KeywordSearch):
            raise StoreError("this store searches for no keywords")
        return await self._inner.search_keywords(scope, terms, limit=limit, statuses=statuses)

    async def ping(self) -> None:
        await self._inner.ping()

    async def maintain(self) -> None:
        await self._inner.maintain()

    async def close(self) -> None:
        await self._inner.close()
