"""One clock for all workers: the server's.

A lease ends at a moment, and each worker has its own idea of now. One whose clock is an hour ahead
would take every lease for over. So all moments that go into the queue are moved from the caller's
clock to the server's, and back when they are read.

What holds: workers whose clocks differ by more than `TOLERANCE_MS` do not take over live leases,
and a step of a worker's clock is noticed at its next call. Below the tolerance nothing is moved:
leases last tens of seconds, and moments stay exact. Nothing is moved either by who passes moments
that are not of this process's clock, as tests do. If the server's own clock steps, leases end so
much earlier or later. Whoever loses a lease that way can no longer change its job, so what a wrong
clock costs is work done twice, never a fact kept twice.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

TOLERANCE_MS = 2_000
EVERY_SECONDS = 30.0
"""How old a comparison may be."""
STEP_SECONDS = 0.5
"""The wall clock moved by this much more than time went by: it was set."""


@dataclass(frozen=True, slots=True)
class _Compared:
    shift_ms: int
    at: float
    wall_ahead: float


class ServerClock:
    """How far the server's clock is ahead of this process's.

    `server_time` asks the server for seconds and microseconds since the epoch.
    """

    def __init__(self, server_time: Callable[[], Awaitable[tuple[int, int]]]) -> None:
        self._server_time = server_time
        self._last: _Compared | None = None

    async def shift_ms(self) -> int:
        """Milliseconds to add to a local moment; 0 if the clocks are about the same.

        Raises:
            StateError: the server does not answer.
        """
        at, wall_ahead = time.monotonic(), time.time() - time.monotonic()
        last = self._last
        if (
            last is not None
            and at - last.at < EVERY_SECONDS
            and abs(wall_ahead - last.wall_ahead) < STEP_SECONDS
        ):
            return last.shift_ms
        self._last = _Compared(await self._compare(), at, wall_ahead)
        return self._last.shift_ms

    async def _compare(self) -> int:
        before = time.time()
        seconds, microseconds = await self._server_time()
        middle_ms = (before + time.time()) * 500
        return significant(seconds * 1000 + microseconds // 1000 - int(middle_ms))


def significant(shift_ms: int) -> int:
    """The shift, or 0 where it is within the tolerance."""
    return shift_ms if abs(shift_ms) > TOLERANCE_MS else 0
