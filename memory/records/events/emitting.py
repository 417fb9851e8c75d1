"""Wrappers of the history and of the store that tell of a change once its rows are written.

The history is written before the memory. So its records wait here for the row of their memory: a
subscriber that reads the memory finds what it was told.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ...model.ports import HistoryLog, VectorStore
from ...model.types import EventKind, HistoryRecord, Scope, StoredMemory
from ...stores.forwarding import ForwardingStore
from ...util.lru import Lru

if TYPE_CHECKING:
    from .feed import Feed

MOST_PENDING = 10_000
"""Memories whose rows are being written. A write that failed for good leaves its records here."""


class PendingEvents:
    """Records of the history whose memories are not written yet."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._records: Lru[tuple[str, str], tuple[int, dict[str, HistoryRecord]]]
        self._records = Lru(MOST_PENDING)

    @property
    def moment(self) -> int:
        """To be read before records are written; see `ChangeTexts`."""
        return self._feed.texts.moment

    def noted(self, records: Sequence[HistoryRecord], since: int) -> None:
        """Keep the records that describe changes. Writing one again changes nothing.

        Nothing is kept while nobody follows.
        """
        for record in records if self._feed.followed else ():
            if record.event is not EventKind.NONE:
                key = record.scope.tenant, record.memory_id
                known_since, known = self._records.get(key) or (since, {})
                earliest = min(known_since, since)
                self._records.put(key, (earliest, {**known, record.id: record}))

    def written(self, tenant: str, ids: Collection[str]) -> None:
        """Tell of the changes of these memories."""
        for memory_id in ids:
            key = tenant, memory_id
            if noted := self._records.get(key):
                since, records = noted
                self._records.drop(key.__eq__)
                self._feed.wrote(list(records.values()), since)


class EventEmittingHistory:
    """Wraps another `HistoryLog`. Everything is passed on unchanged."""

    def __init__(self, inner: HistoryLog, pending: PendingEvents) -> None:
        self._inner = inner
        self._pending = pending

    async def append(self, records: Sequence[HistoryRecord]) -> None:
        since = self._pending.moment
        await self._inner.append(records)
        self._pending.noted(records, since)

    async def of(self, tenant: str, memory_id: str) -> list[HistoryRecord]:
        return await self._inner.of(tenant, memory_id)

    async def of_many(
        self, tenant: str, memory_ids: Sequence[str]
    ) -> dict[str, list[HistoryRecord]]:
        return await self._inner.of_many(tenant, memory_ids)

    async def erase(self, tenant: str, memory_ids: Sequence[str]) -> int:
        return await self._inner.erase(tenant, memory_ids)

    async def erase_scope(self, scope: Scope) -> int:
        return await self._inner.erase_scope(scope)

    async def reset(self, tenant: str) -> None:
        await self._inner.reset(tenant)

    async def close(self) -> None:
        await self._inner.close()


class EventEmittingStore(ForwardingStore):
    """Wraps another `VectorStore`. Everything is passed on unchanged."""

    def __init__(self, inner: VectorStore, pending: PendingEvents) -> None:
        self._inner = inner
        self._pending = pending

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        await self._inner.put(memories)
        for memory in memories:
            self._pending.written(memory.item.scope.tenant, [memory.item.id])

    async def delete(self, tenant: str, ids: Sequence[str]) -> None:
        await self._inner.delete(tenant, ids)
        self._pending.written(tenant, ids)

    @property
    def _store(self) -> VectorStore:
        return self._inner
