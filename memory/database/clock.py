"""One clock for all workers: the server's.

A lease ends at a moment, and the clocks of workers differ. A worker whose clock is an hour ahead
would treat every lease as expired. So all moments written to the queue are converted from the
caller's clock to the server's, and back when they are read.

Guarantees: workers whose clocks differ by more than `TOLERANCE_MS` do not take over live leases,
and a step of a worker's clock is noticed at its next call. Smaller differences are ignored: leases
last tens of seconds, and moments stay exact. Every moment is shifted by the difference of this
process's clock, whatever its source. If the server's clock steps, leases end earlier or later by
that step. A worker that loses its lease this way cannot change the job, so a wrong clock
may cause work to be done twice, but never a fact to be stored twice.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

TOLERANCE_MS = 2_000
EVERY_SECONDS = 30.0
"""Maximum age of a comparison."""
STEP_SECONDS = 0.5
"""If the wall clock moved by this much more than the monotonic clock, it was set."""


@dataclass(frozen=True, slots=True)
class _Compared:
    shift_ms: int
    at: float
    wall_ahead: float


class ServerClock:
    """The difference between the server's clock and this process's.

    `server_time` asks the server for seconds and microseconds since the epoch.
    """

    def __init__(self, server_time: Callable[[], Awaitable[tuple[int, int]]]) -> None:
        self._server_time = server_time
        self._last: _Compared | None = None

    async def shift_ms(self) -> int:
        """Milliseconds to add to a local moment; 0 if the difference is within the tolerance.

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
    """The shift, or 0 if it is within the tolerance."""
    return shift_ms if abs(shift_ms) > TOLERANCE_MS else 0
