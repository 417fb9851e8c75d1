"""`GET /v1/memories/events`: the changes of memories as they are made, until the client leaves."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Mapping

from aiohttp import web

from recollect.memory.engine import Subscription

from .streams import EVENT_STREAM, LINES, begin, event, line

MOST_FOLLOWERS = 256
"""Streams at a time. Each holds a connection and up to a thousand changes."""
QUIET_SECONDS = 15.0
"""After so long without a change a line says that the stream lives: proxies close idle ones."""
_ALIVE = {EVENT_STREAM: b": alive\n\n", LINES: b"\n"}


class Followers:
    """The streams that are open, a bounded number of them."""

    def __init__(self) -> None:
        self.most = MOST_FOLLOWERS
        self._open: weakref.WeakSet[Subscription] = weakref.WeakSet()

    @property
    def full(self) -> bool:
        """Whether no further stream can be opened now."""
        return sum(not changes.closed for changes in self._open) >= self.most

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

    def __init__(self, changes: Subscription) -> None:
        self._changes = changes

    async def answer(self, request: web.Request, headers: Mapping[str, str]) -> web.StreamResponse:
        """Server-sent events, or lines of JSON if the client's Accept asks for them."""
        lines = LINES in request.headers.get("Accept", "")
        kind, framed = (LINES, line) if lines else (EVENT_STREAM, event)
        response = await begin(request, headers, kind)
        try:
            await response.write(_ALIVE[kind])
            while True:
                try:
                    async with asyncio.timeout(QUIET_SECONDS):
                        change = await anext(self._changes)
                except TimeoutError:
                    await response.write(_ALIVE[kind])
                except StopAsyncIteration:
                    await response.write_eof()
                    return response
                else:
                    await response.write(framed(change, change["event"]))
        except ConnectionError:
            return response  # the client left
        finally:
            self._changes.close()
