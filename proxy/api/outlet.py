"""The way out for an answer that is sent piece by piece: never ahead of its reader, nor for ever.

A piece is written when the one before it has left this process, so an answer takes the memory of
one piece beside what its producer holds. A client that does not read is cut off.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from aiohttp import web

log = logging.getLogger(__name__)

PIECE = 2**16
"""As much as asyncio buffers for a connection before a writer has to wait."""


class UnreadError(ConnectionError):
    """The client did not read in time; its connection is closed."""


class Outlet:
    """One answer to one request."""

    def __init__(self, request: web.Request, headers: Mapping[str, str], *, seconds: float) -> None:
        """`headers` are those of every answer. A piece has to leave within `seconds`."""
        self.request = request
        self.response: web.StreamResponse | None = None
        """The answer, once it has begun."""
        self._headers = headers
        self._seconds = seconds

    async def begin(
        self,
        content_type: str,
        *,
        status: int = 200,
        length: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> web.StreamResponse:
        """Send the head; without `length` the answer ends with `end`. Raises ConnectionError."""
        response = web.StreamResponse(
            status=status, headers={"Cache-Control": "no-store", **self._headers, **(headers or {})}
        )
        response.content_type = content_type
        response.content_length = length
        await response.prepare(self.request)
        self.response = response
        return response

    async def write(self, data: bytes) -> None:
        """Send it, and wait until it has left. Raises ConnectionError: UnreadError if it is late.

        A client that is only slow has the time for each 64 KiB anew.
        """
        assert self.response is not None  # noqa: S101 - the answer has begun
        for at in range(0, len(data), PIECE):
            try:
                async with asyncio.timeout(self._seconds):
                    await self.response.write(data[at : at + PIECE])
                    # aiohttp waits for every 64 KiB only, which are many events.
                    await self.request.writer.drain()
            except TimeoutError:
                log.info("closed a client's connection: it does not read its answer")
                self.cut()
                raise UnreadError from None

    async def end(self) -> web.StreamResponse:
        """The answer is whole. Raises ConnectionError."""
        assert self.response is not None  # noqa: S101 - as above
        await self.response.write_eof()
        return self.response

    def cut(self) -> None:
        """Break off: the client sees that the answer is not whole."""
        if self.request.transport is not None:
            self.request.transport.abort()
