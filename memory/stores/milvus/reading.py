"""Reading many memories: page by page, and never for long on the event loop."""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, TypeVar

from ...types import MemoryItem, StoredMemory
from .columns import Columns
from .connection import Connection
from .dialect import Abilities
from .rows import Row, to_item, to_memory
from .schema import OUTPUT_FIELDS

T = TypeVar("T")

WITH_VECTOR = [*OUTPUT_FIELDS, "vector"]

_PAGE_BYTES = 2 * 1024 * 1024
"""Vectors of one page. gRPC reads an answer on the event loop, a millisecond for each megabyte."""
_SLICE = 100
"""Rows decoded before others have their turn: about a millisecond."""

Condition = Callable[[str | None], str]
"""The expression for what comes after an id; None for everything."""


class Reader:
    """Reads one collection."""

    def __init__(self, connection: Connection, dialect: Abilities, dim: int) -> None:
        self._connection = connection
        self._dialect = dialect
        self._vector_rows = max(1, min(dialect.page_rows, _PAGE_BYTES // (4 * dim)))

    async def columns(
        self, condition: str, fields: Sequence[str] = OUTPUT_FIELDS, *, fresh: bool = True
    ) -> Columns:
        """The rows this expression admits, at most 16,384, in any order."""
        return await self._answer(condition, fields, consistency_level=_level(fresh))

    async def items(self, condition: str) -> builtins.list[MemoryItem]:
        """The memories this expression admits, at most 16,384, in any order; fresh."""
        return await _decoded(await self.columns(condition), to_item)

    async def all_items(self, condition: Condition, **where: Any) -> builtins.list[MemoryItem]:
        """Every memory the expression admits, in any order; fresh."""
        size = self._dialect.page_rows
        whole = await self._whole(condition(None), OUTPUT_FIELDS, size, fresh=True, **where)
        if whole is not None:
            return await _decoded(whole, to_item)
        items: builtins.list[MemoryItem] = []
        async for page in self._pages(condition, OUTPUT_FIELDS, size, **where):
            items += await _decoded(page, to_item)
        return items

    async def memories(
        self, condition: Condition, *, limit: int, fresh: bool, **where: Any
    ) -> builtins.list[StoredMemory]:
        """The first `limit` of what the expression admits, in the order of the ids."""
        size = self._vector_rows
        whole = await self._whole(condition(None), WITH_VECTOR, size, fresh=fresh, **where)
        if whole is None:
            return await self.first(condition, limit=limit, **where)
        memories = await _decoded(whole, to_memory)
        return sorted(memories, key=lambda memory: memory.item.id)[:limit]

    async def first(
        self, condition: Condition, *, limit: int, **where: Any
    ) -> builtins.list[StoredMemory]:
        """The same where many are expected; fresh."""
        memories: builtins.list[StoredMemory] = []
        size = min(self._vector_rows, limit)
        async for page in self._pages(condition, WITH_VECTOR, size, **where):
            memories += await _decoded(page, to_memory)
            if len(memories) >= limit:
                break
        return memories[:limit]

    async def count(self, condition: str, *, fresh: bool, **where: Any) -> int:
        """How many rows the expression admits."""
        answer = await self._answer(
            condition, ["count(*)"], consistency_level=_level(fresh), **where
        )
        return int(answer.values["count(*)"][0])

    async def _whole(
        self, condition: str, fields: Sequence[str], size: int, *, fresh: bool, **where: Any
    ) -> Columns | None:
        """Everything, in any order, by one plain read; or None if it does not fit a page.

        For servers: paging needs two strong reads at least, of 200 ms each, and nearly everybody
        has less than a page of memories. Milvus Lite pages without either.
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
                # What pymilvus' own iterator sends: the answer is a gapless run in id order, and
                # read with the collection's own consistency, which is strong.
                iterator="True",
                reduce_stop_for_best=True,
                **where,
            )
            if page:
                yield page
                last = max(page.values["id"])
            # A server's page may be short and not the last.
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
