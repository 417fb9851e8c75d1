"""Reads a whole store page by page, for upkeep and administration."""

from __future__ import annotations

from collections.abc import AsyncIterator

from .ports import VectorStore
from .types import StoredMemory


async def scanned(
    store: VectorStore, *, page: int, after: str | None = None
) -> AsyncIterator[list[StoredMemory]]:
    """The memories of every tenant and status with an id greater than `after`, `page` at a time.

    In the order of their ids; no page is empty. Raises StoreError.
    """
    while found := await store.scan(after=after, limit=page):
        yield found
        after = found[-1].item.id
