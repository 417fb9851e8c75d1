"""Reads rows: page by page, and without blocking the event loop for long."""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, TypeVar

from .database import Tables
from .rows import ids_of
from .sql import RowCondition

T = TypeVar("T")
Row = Mapping[str, Any]

_SLICE = 100
"""Rows decoded before other tasks get a turn: about a millisecond."""


async def decoded(rows: Sequence[Row], decode: Callable[[Row], T]) -> builtins.list[T]:
    """What these rows hold."""
    found: builtins.list[T] = []
    for start in range(0, len(rows), _SLICE):
        found += map(decode, rows[start : start + _SLICE])
        await asyncio.sleep(0)
    return found


async def pages(
    tables: Tables, asked: RowCondition, columns: str, *, size: int, after: str | None = None
) -> AsyncIterator[Sequence[Row]]:
    """The rows of a condition in the order of their ids; no page is empty. Raises StoreError."""
    while True:
        page = asked.copied()
        page.after(after)
        rows = await tables.select(columns, page, f"ORDER BY id LIMIT {size}")
        if rows:
            yield rows
        if len(rows) < size:
            return
        after = ids_of(rows[-1:])[0]
