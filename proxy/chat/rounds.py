"""Work of some milliseconds on the event loop: one request begins in each of the loop's rounds.

When many arrive together, the loop would do a piece of each in one round, and the next step of a
recall that runs already would wait for all of them, on a slow machine until its deadline.
"""

from __future__ import annotations

import asyncio
from collections import deque


class OnePerRound:
    """Used from one event loop; of those that wait the newest comes first, as in `waiting_line`."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._taken = False

    async def turn(self, seconds: float) -> None:
        """Return at once if nobody else began in this round; else later, in time at the latest."""
        loop = asyncio.get_running_loop()
        if not self._taken:
            self._taken = True
            loop.call_soon(self._next)
            return
        mine = loop.create_future()
        self._waiting.append(mine)
        try:
            async with asyncio.timeout(seconds):
                await mine
        except TimeoutError:
            pass  # it has waited long enough
        finally:
            if mine in self._waiting:
                self._waiting.remove(mine)

    def _next(self) -> None:
        while self._waiting:
            newest = self._waiting.pop()
            if not newest.done():  # else it gave up just now
                newest.set_result(None)
                asyncio.get_running_loop().call_soon(self._next)
                return
        self._taken = False
