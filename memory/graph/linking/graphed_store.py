"""A store whose writes the graph follows."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from ...memories.forwarding import ForwardingStore
from ...model.ports import VectorStore
from ...model.types import MemoryItem, StoredMemory


class Follows(Protocol):
    """Is told of writes, before and after."""

    def changing(self, items: Sequence[MemoryItem]) -> AbstractAsyncContextManager[None]:
        """Around a write of these memories, which may fail."""

    def removing(self, tenant: str, ids: Sequence[str]) -> AbstractAsyncContextManager[None]:
        """Around a removal of these."""

    def emptying(self, tenant: str) -> AbstractAsyncContextManager[None]:
        """Around a removal of everything of a tenant."""


class GraphedStore(ForwardingStore):
    """Wraps another `VectorStore`. Reads are passed on unchanged.

    Before a write it is noted durably what changes, and afterwards that is linked in the
    background: so whatever dies in between, the graph follows. A graph that fails delays no write.
    """

    def __init__(self, inner: VectorStore, follower: Follows) -> None:
        self._inner = inner
        self._follower = follower

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        # An earlier version is a row of its own, that never was and never will be active.
        items = [each.item for each in memories if each.item.provenance.superseded_by is None]
        async with self._follower.changing(items):
            await self._inner.put(memories)

    async def delete(self, tenant: str, ids: Sequence[str]) -> None:
        async with self._follower.removing(tenant, ids):
            await self._inner.delete(tenant, ids)

    async def reset(self, tenant: str) -> None:
        async with self._follower.emptying(tenant):
            await self._inner.reset(tenant)

    @property
    def _store(self) -> VectorStore:
        return self._inner
