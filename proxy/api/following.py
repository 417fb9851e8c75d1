"""`GET /v1/memories/events`: the changes of memories as they are made, until the client leaves."""

from __future__ import annotations

import asyncio
import weakref

from aiohttp import web

from recollect.memory.engine.engine import Subscription

from .outlet import Outlet
from .sending import Load
from .streams import EVENT_STREAM, LINES, event, line

QUIET_SECONDS = 15.0
"""After so long without a change a line says that the stream lives: proxies close idle ones."""
_ALIVE = {EVENT_STREAM: b": alive\n\n", LINES: b"\n"}


class Followers:
    """The streams that are open, so that a server that stops can end them."""

    def __init__(self) -> None:
        self._open: weakref.WeakSet[Subscription] = weakref.WeakSet()

    def follow(self, changes: Subscription) -> Following:
        """A stream of these changes."""
        self._open.add(changes)
        return Following(changes)

    def close(self) -> None:
        """End all of them."""
        for changes in list(self._open):
            changes.close()


class Following:
    """A stream of changes that has begun; `answer` sends it."""

    load = Load.FOLLOWED.value

    def __init__(self, changes: Subscription) -> None:
        self._changes = changes

    async def answer(self, outlet: Outlet) -> web.StreamResponse:
        """Server-sent events, or lines of JSON if the client's Accept asks for them."""
        lines = LINES in outlet.request.headers.get("Accept", "")
        kind, framed = (LINES, line) if lines else (EVENT_STREAM, event)
        try:
            await outlet.begin(kind)
            await outlet.write(_ALIVE[kind])
            while True:
                try:
                    async with asyncio.timeout(QUIET_SECONDS):
                        change = await anext(self._changes)
                except TimeoutError:
                    await outlet.write(_ALIVE[kind])
                except StopAsyncIteration:
                    return await outlet.end()
                else:
                    await outlet.write(framed(change, change["event"]))
        finally:
            self._changes.close()
