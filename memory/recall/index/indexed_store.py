"""A store whose writes the indexes of active users follow."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from ...memories.forwarding import ForwardingStore
from ...model.ports import VectorStore
from ...model.types import StoredMemory
from .facts import derived
from .hot import AT_A_TIME, HotIndexes


class IndexedStore(ForwardingStore):
    """Wraps another `VectorStore`. Reads are passed on unchanged.

    A failed or cancelled write may have happened, so all indexes of its tenant are dropped and
    rebuilt from the store.
    """

    def __init__(self, inner: VectorStore, indexes: HotIndexes) -> None:
        self._inner = inner
        self._indexes = indexes

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        memories = await self._derived(memories)
        try:
            await self._inner.put(memories)
        except BaseException:
            await self._indexes.drop(*{memory.item.scope.tenant for memory in memories})
            raise
        await self._indexes.wrote(memories)

    async def _derived(self, memories: Sequence[StoredMemory]) -> Sequence[StoredMemory]:
        """With their facts, which the store keeps."""
        derive = partial(derived, judge=self._indexes.judge)
        if len(memories) <= AT_A_TIME:
            return [derive(memory) for memory in memories]
        return await asyncio.to_thread(lambda: [derive(memory) for memory in memories])

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

    @property
    def _store(self) -> VectorStore:
        return self._inner
