"""The time as one value: what waits, expires or backs off takes it, so that tests can step it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from datetime import datetime

from ..model.types import utc_now


class Clock:
    """The real one."""

    def now(self) -> datetime:
        """The moment: what is stored, and what processes compare with each other."""
        return utc_now()

    def monotonic(self) -> float:
        """Seconds that never go back: how long something takes within this process."""
        return time.monotonic()

    def together(self, seconds: float) -> float:
        """About so many seconds: until a whole second of the process, if they are one or more.

        Loops that look now and then wait so. They wake at the same moment, and an idle process
        wakes once for all of them: a wake-up costs more than most looks.
        """
        if seconds < 1:
            return seconds
        now = self.monotonic()
        return round(now + seconds) - now

    async def sleep(self, seconds: float) -> None:
        """Let so many seconds pass."""
        await asyncio.sleep(seconds)

    async def within(self, seconds: float, waited: Awaitable[object]) -> bool:
        """Wait for something for up to so many seconds; whether it came. What did not is cancelled.

        Raises what it raises.
        """
        try:
            async with asyncio.timeout(seconds) as limit:
                await waited
        except TimeoutError:
            if not limit.expired():
                raise
            return False
        return True


CLOCK = Clock()
