"""Calls of client libraries that block, with errors as those of a store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from ..model.errors import StoreError

T = TypeVar("T")

_LONGEST_REASON = 300


class CallingThread:
    """Calls one client in threads: as many at once as it takes."""

    def __init__(
        self, shown: str, *, errors: tuple[type[Exception], ...], seconds: float, at_once: int
    ) -> None:
        """`errors` are what the client raises; every call raises StoreError instead."""
        self._shown = shown
        self._errors: tuple[type[Exception], ...] = (*errors, OSError, TimeoutError)
        self._seconds = seconds
        self._turns = asyncio.Semaphore(at_once)

    async def call(self, action: str, work: Callable[[], T]) -> T:
        """What `work` returns. After the time limit it goes on, and nobody waits for it."""
        async with self._turns:
            try:
                async with asyncio.timeout(self._seconds):
                    return await asyncio.to_thread(work)
            except self._errors as error:
                reason = " ".join(str(error).split())[:_LONGEST_REASON] or type(error).__name__
                raise StoreError(f"{self._shown}: {action} failed: {reason}") from error
