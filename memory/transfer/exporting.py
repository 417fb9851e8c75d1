"""Reads all rows of an owner page by page, as lines. No page is kept after it was sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ..bulk import Bulk
from ..owner import takes
from ..parts import Parts
from ..recall.index.shelf import is_passage
from ..said.heard import Heard
from ..types import HistoryRecord, MemoryStatus, Recent, Scope, StoredMemory, Whose, utc_now
from .lines import Header, memory_line, turn_line
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
    after: str | None
    """The id to go on after: everything up to it was read. None of what was said, which comes last
    and is read again from its beginning."""


class Exporter:
    """Exports memories of every status with their history and vectors, ordered by id.

    After them comes what was said and is no memory yet, turn by turn.
    """

    def __init__(self, parts: Parts, heard: Heard, *, bulk: Bulk, pause: Pause) -> None:
        self._heard = heard
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
        """How many rows and turns a scope has; None for a tenant, which no store counts."""
        if not isinstance(whose, Scope):
            return None
        turns = {one.turn_id for one in await self._heard.of_scope(whose)}
        return len(turns) + await self._store.count(whose, statuses=frozenset(MemoryStatus))

    async def pages(
        self, whose: Whose, header: Header, seals: Seals, *, after: str | None = None
    ) -> AsyncIterator[ExportPage]:
        """The lines of all rows with an id greater than `after`, and of all that was said.

        With the id of something that was said as `after` only the latter. Rows that are written
        meanwhile are in it or not. Raises StoreError, StateError.
        """
        if not is_passage(after):
            async for page in self._memories(whose, header, seals, after):
                yield page
        async for turns in self._heard.turns_of(whose):
            for at in range(0, len(turns), PAGE):
                some = turns[at : at + PAGE]
                data = await self._bulk.run(("export", seals.tenant), partial(_told, some, seals))
                yield ExportPage(data, len(some), None)
                await self._pause()

    async def _memories(
        self, whose: Whose, header: Header, seals: Seals, after: str | None
    ) -> AsyncIterator[ExportPage]:
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


def _told(turns: Sequence[Recent], seals: Seals) -> bytes:
    return b"".join(turn_line(each, seals) for each in turns)
