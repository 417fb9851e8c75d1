"""Places for so many at a time, and a line of those that wait for one: the newest comes first.

Everybody in the line has the same deadline, counted from the arrival. When more arrive than can be
served, a line in which the oldest comes first serves only those that have waited longest and have
the least time left: each begins, takes a place, and is late. The newest has its whole time.
"""

from __future__ import annotations

import asyncio
from collections import deque


class WaitingLine:
    """Used from one event loop."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self, seconds: float) -> bool:
        """Take a place, now or within so many seconds; False if none became free.

        Who has entered calls `leave` once.
        """
        if self._free:
            self._free -= 1
            return True
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            async with asyncio.timeout(seconds):
                await turn
        except TimeoutError:
            return self._given(turn)
        except asyncio.CancelledError:
            if self._given(turn):
                self.leave()
            raise
        return True

    def leave(self) -> None:
        """Give the place to the newest that still waits."""
        while self._waiting:
            turn = self._waiting.pop()
            if not turn.done():  # else it gave up just now
                turn.set_result(None)
                return
        self._free += 1

    def _given(self, turn: asyncio.Future[None]) -> bool:
        """Whether it was given a place while its wait ended; if not, it waits no longer."""
        if not turn.cancelled():
            return True
        if turn in self._waiting:
            self._waiting.remove(turn)
        return False
