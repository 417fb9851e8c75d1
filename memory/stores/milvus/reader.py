"""Reads many memories: page by page, without blocking the event loop for long."""

from __future__ import annotations

import asyncio
import builtins
import heapq
from collections.abc import AsyncIterator, Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, TypeVar

import numpy as np

from ...memories.fields import ROW_FIELDS
from ...model.types import MemoryItem, ScoredMemory, StoredMemory, Vector
from ...model.wide import Counted
from ...query import Predicate, passing
from ..shared.rows import COUNTED, Row, count_row, to_item, to_memory
from .columns import Columns
from .connection import Connection
from .dialect import Abilities

T = TypeVar("T")

WITH_VECTOR = [*ROW_FIELDS, "vector"]

_PAGE_BYTES = 2 * 1024 * 1024
"""Vectors of one page. gRPC reads an answer on the event loop, a millisecond per megabyte."""
_SLICE = 100
"""Rows decoded before other tasks get a turn: about a millisecond."""
_COUNTED_ROWS = 8000
"""Rows that are only counted, of one page: a megabyte without texts and vectors."""
_COUNTED_SLICE = 500
"""The same as `_SLICE` of those."""

Condition = Callable[[str | None], str]
"""The expression for rows after an id; None for all rows."""


class CollectionReader:
    """Reads one collection."""

    def __init__(self, connection: Connection, dialect: Abilities, dim: int) -> None:
        self._connection = connection
        self._dialect = dialect
        # Whoever counts a large tenant waits for others who do: it is work for the whole process.
        self._counting = asyncio.Semaphore(1)
        self._vector_rows = max(1, min(dialect.page_rows, _PAGE_BYTES // (4 * dim)))

    async def columns(
        self, condition: str, fields: Sequence[str] = ROW_FIELDS, *, fresh: bool = True
    ) -> Columns:
        """The rows that match, at most 16,384, in any order."""
        return await self._answer(condition, fields, consistency_level=_level(fresh))

    async def items(self, condition: str) -> builtins.list[MemoryItem]:
        """The memories that match, at most 16,384, in any order; fresh."""
        return await _decoded(await self.columns(condition), to_item)

    async def all_items(self, condition: Condition, **where: Any) -> builtins.list[MemoryItem]:
        """Every memory that matches, in any order; fresh."""
        size = self._dialect.page_rows
        whole = await self._whole(condition(None), ROW_FIELDS, size, fresh=True, **where)
        if whole is not None:
            return await _decoded(whole, to_item)
        items: builtins.list[MemoryItem] = []
        async for page in self._pages(condition, ROW_FIELDS, size, **where):
            items += await _decoded(page, to_item)
        return items

    async def memories(
        self, condition: Condition, *, limit: int, fresh: bool, **where: Any
    ) -> builtins.list[StoredMemory]:
        """The first `limit` memories that match, in the order of their ids."""
        size = self._vector_rows
        whole = await self._whole(condition(None), WITH_VECTOR, size, fresh=fresh, **where)
        if whole is None:
            return await self.first(condition, limit=limit, **where)
        memories = await _decoded(whole, to_memory)
        return sorted(memories, key=lambda memory: memory.item.id)[:limit]

    async def first(
        self, condition: Condition, *, limit: int, keep: Predicate | None = None, **where: Any
    ) -> builtins.list[StoredMemory]:
        """The same, always page by page; fresh. With `keep` those that pass it."""
        memories: builtins.list[StoredMemory] = []
        size = self._vector_rows if keep is not None else min(self._vector_rows, limit)
        async for page in self._pages(condition, WITH_VECTOR, size, **where):
            found = await _decoded(page, to_memory)
            memories += found if keep is None else await _kept(found, keep)
            if len(memories) >= limit:
                break
        return memories[:limit]

    async def first_items(
        self, condition: Condition, *, limit: int, **where: Any
    ) -> builtins.list[MemoryItem]:
        """The first `limit` in the order of their ids, without vectors; fresh."""
        items: builtins.list[MemoryItem] = []
        size = min(self._dialect.page_rows, limit)
        async for page in self._pages(condition, ROW_FIELDS, size, **where):
            items += await _decoded(page, to_item)
            if len(items) >= limit:
                break
        return items[:limit]

    async def tally(
        self, condition: Condition, turns: AbstractSet[str], *, waiting: bool, **where: Any
    ) -> Counted:
        """The rows that match, counted by their scopes and kinds; fresh."""
        fields = [*COUNTED, "provenance"] if turns or waiting else COUNTED
        tally = Counted()
        async with self._counting:
            async for page in self._pages(condition, fields, _COUNTED_ROWS, **where):
                for start in range(0, len(page), _COUNTED_SLICE):
                    for row in page.rows(start, start + _COUNTED_SLICE):
                        count_row(tally, row, turns, waiting=waiting)
                    await asyncio.sleep(0)
        return tally

    async def nearest(
        self, condition: Condition, query: Vector, *, limit: int, keep: Predicate, **where: Any
    ) -> builtins.list[ScoredMemory]:
        """The `limit` memories that match, pass `keep`, and are nearest to the query; fresh.

        Every row that matches is read: the server cannot tell which ones pass.
        """
        best: builtins.list[ScoredMemory] = []
        async for page in self._pages(condition, WITH_VECTOR, self._vector_rows, **where):
            best += [
                ScoredMemory(one.item, float(np.clip(np.dot(one.vector, query), -1.0, 1.0)))
                for one in await _kept(await _decoded(page, to_memory), keep)
            ]
            best = heapq.nlargest(limit, best, key=lambda hit: hit.score)
        return best

    async def count(self, condition: str, *, fresh: bool, **where: Any) -> int:
        """How many rows match."""
        answer = await self._answer(
            condition, ["count(*)"], consistency_level=_level(fresh), **where
        )
        return int(answer.values["count(*)"][0])

    async def _whole(
        self, condition: str, fields: Sequence[str], size: int, *, fresh: bool, **where: Any
    ) -> Columns | None:
        """All rows, in any order, by one plain read; None if they do not fit a page.

        For servers: paging needs at least two strong reads of 200 ms each, and nearly all users
        have less than a page of memories. Milvus Lite pages without that cost.
        """
        if self._dialect.embedded:
            return None
        level = _level(fresh)
        page = await self._answer(condition, fields, limit=size, consistency_level=level, **where)
        return page if len(page) < size else None

    async def _pages(
        self, condition: Condition, fields: Sequence[str], size: int, **where: Any
    ) -> AsyncIterator[Columns]:
        last: str | None = None
        while True:
            page = await self._answer(
                condition(last),
                fields,
                limit=size,
                # As pymilvus' own iterator sends it: the answer is a gapless run in id order, and
                # is read with the collection's own consistency, which is strong.
                iterator="True",
                reduce_stop_for_best=True,
                **where,
            )
            if page:
                yield page
                last = max(page.values["id"])
            # A server's page may be short without being the last.
            if not page or (self._dialect.embedded and len(page) < size):
                return

    async def _answer(self, condition: str, fields: Sequence[str], **arguments: Any) -> Columns:
        return await self._connection.columns(
            filter=condition, output_fields=[*fields], **arguments
        )


def _level(fresh: bool) -> str:
    return "Strong" if fresh else "Bounded"


async def _decoded(page: Columns, decode: Callable[[Row], T]) -> builtins.list[T]:
    decoded: builtins.list[T] = []
    for start in range(0, len(page), _SLICE):
        decoded += [decode(row) for row in page.rows(start, start + _SLICE)]
        await asyncio.sleep(0)
    return decoded


async def _kept(memories: Sequence[StoredMemory], keep: Predicate) -> builtins.list[StoredMemory]:
    return await passing(memories, lambda one: keep(one.item))
