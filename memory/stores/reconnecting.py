"""A store on a server that was not there when we started.

Chats go on without memory meanwhile; the housekeeping that runs anyway opens the store as soon as
the server answers. No request waits for that.
"""

from __future__ import annotations

import builtins
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence

from ..errors import StoreError, StoreMismatchError
from ..ports import ACTIVE, KeywordSearch, VectorStore
from ..types import MemoryItem, MemoryStatus, Scope, ScoredMemory, StoredMemory, Vector

log = logging.getLogger(__name__)


async def open_or_reconnect(
    opener: Callable[[], Awaitable[VectorStore]], *, remote: bool
) -> VectorStore:
    """Open a store; one on a server that does not answer is opened when it does.

    Raises:
        StoreError: an embedded store cannot be opened: waiting would not mend it.
        StoreMismatchError: likewise, wherever it is.
    """
    try:
        return await opener()
    except StoreMismatchError:
        raise
    except StoreError as error:
        if not remote:
            raise
        log.warning("there is no memory until its store answers: %s", error)
        return ReconnectingStore(opener)


class ReconnectingStore:
    """A `VectorStore` that `maintain` opens; until then every other call is a StoreError."""

    def __init__(self, opener: Callable[[], Awaitable[VectorStore]]) -> None:
        self._opener = opener
        self._opened: VectorStore | None = None

    async def maintain(self) -> None:
        if self._opened is None:
            self._opened = await self._opener()
            log.info("the memory store answers now: memory is back")
        await self._opened.maintain()

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
        opened = self._opened
        return isinstance(opened, KeywordSearch) and opened.keywords

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

    async def close(self) -> None:
        if self._opened is not None:
            await self._opened.close()

    @property
    def _store(self) -> VectorStore:
        if self._opened is None:
            raise StoreError("the memory store was not reachable yet")
        return self._opened
