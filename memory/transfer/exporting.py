"""Reads all rows of an owner page by page, as lines. No page is kept after it was sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..model.row_kinds import is_passage
from ..model.types import (
    HistoryRecord,
    OwnerRef,
    Recent,
    StoredMemory,
    utc_now,
)
from ..recall.index.statement_reader import StatementReader
from ..records.parts import Parts
from ..util.fair_thread_pool import FairThreadPool
from .lines import Header, memory_line, turn_line
from .seals import Seals

PAGE = 512
"""Rows read at a time, and written down before the next ones are read: two threads that both decode
take turns for every row. With vectors they are some five megabytes."""
NO_VECTOR = np.zeros(0, np.float32)

Pause = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ExportPage:
    """Some lines."""

    data: bytes
    memories: int
    after: str | None
    """The id to go on after: everything up to it was read. None of what was said, which comes last
    and is read again from its beginning."""


class Exporter:
    """Exports memories of every status with their history and vectors, ordered by id.

    After them comes what was said and is no memory yet, turn by turn.
    """

    def __init__(
        self, parts: Parts, heard: StatementReader, *, bulk: FairThreadPool, pause: Pause
    ) -> None:
        self._heard = heard
        self._store = parts.store
        self._history = parts.history
        self._embedder = parts.embedder
        self._bulk = bulk
        self._pause = pause
        # However many read an export, one page is made at a time: others feel what they do of one.
        self._making = asyncio.Semaphore(1)

    def header(self, *, vectors: bool = True) -> Header:
        """What the first line says."""
        return Header(
            embedder=self._embedder.id,
            dim=self._embedder.dim,
            vectors=vectors,
            made_at=utc_now(),
        )

    async def pages(
        self, owner_ref: OwnerRef, header: Header, seals: Seals, *, after: str | None = None
    ) -> AsyncIterator[ExportPage]:
        """The lines of all rows with an id greater than `after`, and of all that was said.

        With the id of something that was said as `after` only the latter. Rows that are written
        meanwhile are in it or not. Raises StoreError, StateError.
        """
        more = not is_passage(after)
        while more:
            async with self._making:
                found = await self._read(owner_ref, header, after)
                data = await self._written(found, header, seals) if found else b""
            if more := bool(found):
                after = found[-1].item.id
                yield ExportPage(data, len(found), after)
                del data, found
                await self._pause()
        async for turns in self._heard.turns_of(owner_ref):
            data = await self._bulk.run(("export", seals.tenant), partial(_told, turns, seals))
            yield ExportPage(data, len(turns), None)
            await self._pause()

    async def _read(
        self, owner_ref: OwnerRef, header: Header, after: str | None
    ) -> list[StoredMemory]:
        if header.vectors:
            return await self._store.scan(after=after, limit=PAGE, owner_ref=owner_ref)
        items = await self._store.walk(owner_ref, after=after, limit=PAGE)
        return [StoredMemory(item, NO_VECTOR) for item in items]

    async def _written(
        self, memories: Sequence[StoredMemory], header: Header, seals: Seals
    ) -> bytes:
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


def _told(turns: Sequence[Recent], seals: Seals) -> bytes:
    return b"".join(turn_line(each, seals) for each in turns)
