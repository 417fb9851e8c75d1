"""Letting background work wait for a moment in which nobody waits for this process."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

MAX_WAIT_SECONDS = 0.02
"""Longest that one step of background work waits: a busy process learns slowly, but it learns."""


class Quiet:
    """Counts what somebody waits for."""

    def __init__(self) -> None:
        self._running = 0
        self._nobody = asyncio.Event()
        self._nobody.set()

    @contextmanager
    def foreground(self) -> Iterator[None]:
        """Somebody waits for what runs within."""
        self._running += 1
        self._nobody.clear()
        try:
            yield
        finally:
            self._running -= 1
            if not self._running:
                self._nobody.set()

    async def gap(self) -> None:
        """Return when nobody waits, or after `MAX_WAIT_SECONDS`; let others run in any case."""
        await asyncio.sleep(0)
        if not self._running:
            return
        try:
            async with asyncio.timeout(MAX_WAIT_SECONDS):
                await self._nobody.wait()
        except TimeoutError:
            return


async def at_once() -> None:
    """For who has no foreground: only let others run."""
    await asyncio.sleep(0)
