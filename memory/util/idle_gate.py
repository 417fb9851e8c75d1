"""Background work yields to foreground requests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Self

Pause = Callable[[], Awaitable[None]]
"""Yields to foreground requests (`IdleGate.wait_for_idle`)."""

MAX_WAIT_SECONDS = 0.1
"""Longest wait of one background step, of some milliseconds: a process that is never quiet spends
a few per cent on them, so it learns slowly, but it learns."""


class IdleGate:
    """Counts foreground operations: `with gate.foreground()`."""

    def __init__(self) -> None:
        self._running = 0
        self._nobody = asyncio.Event()
        self._nobody.set()

    def foreground(self) -> Self:
        """Count the block as a foreground operation. No object for each: every request does it."""
        return self

    def __enter__(self) -> None:
        self._running += 1
        self._nobody.clear()

    def __exit__(self, *_: object) -> None:
        self._running -= 1
        if not self._running:
            self._nobody.set()

    async def wait_for_idle(self) -> None:
        """Yield once, then wait up to `MAX_WAIT_SECONDS` for all foreground operations to end."""
        await asyncio.sleep(0)
        if not self._running:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(MAX_WAIT_SECONDS):
                await self._nobody.wait()


async def at_once() -> None:
    """A pause for processes without a foreground: yields once."""
    await asyncio.sleep(0)
