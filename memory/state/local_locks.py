"""Locks on memories between the tasks of this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager

from ..model.ports import Confirm


class LocalLocks:
    """`MemoryLocks` of one process, first come, first served. A lock exists while it is in use."""

    def __init__(self) -> None:
        self._locks: dict[tuple[str, str], asyncio.Lock] = {}
        self._users: dict[tuple[str, str], int] = {}

    @asynccontextmanager
    async def hold(self, tenant: str, memory_ids: Collection[str]) -> AsyncIterator[Confirm]:
        async with AsyncExitStack() as stack:
            # Everybody takes them in the same order, so that nobody waits in a circle.
            for memory_id in sorted(set(memory_ids)):
                await stack.enter_async_context(self._one((tenant, memory_id)))
            yield _held

    @asynccontextmanager
    async def _one(self, key: tuple[str, str]) -> AsyncIterator[None]:
        lock = self._locks.setdefault(key, asyncio.Lock())
        self._users[key] = self._users.get(key, 0) + 1
        try:
            async with lock:
                yield
        finally:
            self._users[key] -= 1
            if not self._users[key]:
                del self._users[key], self._locks[key]


async def _held() -> None:
    """Nobody takes a lock of this process away."""
