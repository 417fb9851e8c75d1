"""Reads all rows of an owner page by page, as lines. No page is kept after it was sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ..bulk import Bulk
from ..owner import takes
from ..parts import Parts
from ..types import HistoryRecord, MemoryStatus, Scope, StoredMemory, Whose, utc_now
from .lines import Header, memory_line
from .seals import Seals

PAGE = 1280
"""Rows read at a time. For each page Milvus Lite looks at every row, so that small ones are slow;
a page of the usual 384 dimensions fits one answer."""

Pause = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ExportPage:
    """Some lines."""

    data: bytes
    memories: int
    after: str
    """The id to go on after: everything up to it was read."""


class Exporter:
    """Exports memories of every status with their history and vectors, ordered by id."""

    def __init__(self, parts: Parts, *, bulk: Bulk, pause: Pause) -> None:
        self._store = parts.store
        self._history = parts.history
        self._embedder = parts.embedder
        self._bulk = bulk
        self._pause = pause

    def header(self, *, vectors: bool = True) -> Header:
        """What the first line says."""
        return Header(
            embedder=self._embedder.id,
            dim=self._embedder.dim,
            vectors=vectors,
            made_at=utc_now(),
        )

    async def total(self, whose: Whose) -> int | None:
        """How many rows a scope has; None for a tenant, which no store counts."""
        if not isinstance(whose, Scope):
            return None
        return await self._store.count(whose, statuses=frozenset(MemoryStatus))

    async def pages(
        self, whose: Whose, header: Header, seals: Seals, *, after: str | None = None
    ) -> AsyncIterator[ExportPage]:
        """The lines of all rows with an id greater than `after`.

        Rows that are written meanwhile are in it or not. Raises StoreError, StateError.
        """
        found = await self._store.scan(after=after, limit=PAGE)
        while found:
            last = found[-1].item.id
            mine = [memory for memory in found if takes(whose, memory.item.scope)]
            # The store's process reads the next page while this one is written down.
            data, found = await asyncio.gather(
                self._written(mine, header, seals), self._store.scan(after=last, limit=PAGE)
            )
            yield ExportPage(data, len(mine), last)
            await self._pause()

    async def _written(
        self, memories: Sequence[StoredMemory], header: Header, seals: Seals
    ) -> bytes:
        if not memories:
            return b""
        ids = [memory.item.id for memory in memories]
        history = await self._history.of_many(seals.tenant, ids)
        work = partial(_lines, memories, history, header, seals)
        return await self._bulk.run(("export", seals.tenant), work)


def _lines(
    memories: Sequence[StoredMemory],
    history: dict[str, list[HistoryRecord]],
    header: Header,
    seals: Seals,
) -> bytes:
    return b"".join(
        memory_line(memory, history.get(memory.item.id, ()), header=header, seals=seals)
        for memory in memories
    )
