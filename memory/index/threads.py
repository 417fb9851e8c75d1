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
        """What `work` returns.

        After the time limit, or if nobody waits any more, it goes on and keeps its turn.
        """
        await self._turns.acquire()
        done = asyncio.get_running_loop().run_in_executor(None, work)
        done.add_done_callback(self._ended)
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.shield(done)
        except self._errors as error:
            reason = " ".join(str(error).split())[:_LONGEST_REASON] or type(error).__name__
            raise StoreError(f"{self._shown}: {action} failed: {reason}") from error

    def _ended(self, done: asyncio.Future[T]) -> None:
        self._turns.release()
        if not done.cancelled():
            done.exception()  # whoever waited has it
