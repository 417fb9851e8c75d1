"""Clocks for tests: time passes when a test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

from recollect.memory.util.clock import Clock as RealClock

from .waiting import until

START = datetime(2026, 3, 2, 12, tzinfo=UTC)


class Clock(RealClock):
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0  # type: ignore[method-assign, assignment]  # of seconds alone

    def __call__(self) -> float:
        return self.now  # type: ignore[return-value]  # see above

    def monotonic(self) -> float:
        return self()


class Telling(RealClock):
    """The moments that a test tells, or the seconds; sleeps are real."""

    def __init__(
        self,
        told: Callable[[], datetime] | None = None,
        *,
        seconds: Callable[[], float] | None = None,
    ) -> None:
        self._told = told or super().now
        self._seconds = seconds or super().monotonic

    def now(self) -> datetime:
        return self._told()

    def monotonic(self) -> float:
        return self._seconds()


class Stepped(RealClock):
    """Moments and seconds; whoever sleeps wakes in `step`, in the order of the moments."""

    def __init__(self, start: datetime = START) -> None:
        self._start = start
        self._passed = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._passed)

    def monotonic(self) -> float:
        return self._passed

    async def sleep(self, seconds: float) -> None:
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        sleeper = (self._passed + seconds, woken)
        self._sleepers.append(sleeper)
        try:
            await woken
        finally:
            self._sleepers.remove(sleeper)

    async def within(self, seconds: float, waited: Awaitable[object]) -> bool:
        alarm, work = asyncio.ensure_future(self.sleep(seconds)), asyncio.ensure_future(waited)
        try:
            await asyncio.wait({alarm, work}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                return False
            work.result()
            return True
        finally:
            alarm.cancel()
            work.cancel()
            await asyncio.gather(alarm, work, return_exceptions=True)

    @property
    def asleep(self) -> list[float]:
        """How long each sleeper will still sleep."""
        return sorted(due - self._passed for due, _ in self._sleepers)

    def pass_by(self, seconds: float) -> None:
        """Let time pass in which nobody wakes."""
        self._passed += seconds

    async def step(self, seconds: float) -> None:
        """Let time pass; what wakes and sleeps again within it wakes again."""
        end = self._passed + seconds
        while due := [each for each in self._sleepers if each[0] <= end and not each[1].done()]:
            at, woken = min(due, key=lambda each: each[0])
            self._passed = max(self._passed, at)
            woken.set_result(None)
            await settled()
        self._passed = max(self._passed, end)
        await settled()

    async def slept(self, seconds: float) -> None:
        """Wait until somebody sleeps that long, and let that time pass."""
        await until(lambda: any(abs(left - seconds) < 1e-6 for left in self.asleep), "the sleep")
        await self.step(seconds)


@contextmanager
def skipping() -> Iterator[Callable[[float], None]]:
    """Lets the running loop's own time pass: what it bounds by that time is over at once."""
    loop, passed = asyncio.get_running_loop(), 0.0
    real = loop.time

    def skip(seconds: float) -> None:
        nonlocal passed
        passed += seconds

    with patch.object(loop, "time", lambda: real() + passed):
        yield skip


async def settled(rounds: int = 20) -> None:
    """Let what can run now run, as far as it waits for nothing but the loop."""
    for _ in range(rounds):
        await asyncio.sleep(0)
