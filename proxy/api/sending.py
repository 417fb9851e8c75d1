"""Sends answers that take time or are large: never ahead of their reader, nor for ever.

A piece is written when the one before it has left this process, so an answer takes the memory of
one piece beside what its producer holds. A client that does not read is cut off, and no more of
them are sent at a time than their shares.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from enum import Enum
from functools import partial
from typing import Any

from aiohttp import web

from recollect.memory.util.fair_thread_pool import FairThreadPool

from ..transport.whole_answer import WholeAnswer
from .answers import JSON, Streamed, encoded, encoded_in_parts
from .request import ApiRequest
from .shares import Ceiling, Claimant, Shares

log = logging.getLogger(__name__)

WRITE_SECONDS = 30.0
"""How long a client may take to read 64 KiB of an answer; then its connection is closed."""
MOST_BYTES = Ceiling(total=2**27, per_tenant=2**26, per_user=2**25)
"""Of large answers that are not read yet."""
PIECE = 2**16
"""As much as asyncio buffers for a connection before a writer has to wait."""
LARGE = PIECE
"""Bytes of an answer that is sent in pieces; smaller ones fit what the system buffers."""
MANY = 200
"""Results that are encoded on the loop, in a millisecond or two; more are in a thread."""


_CONTAINERS = (str, list, tuple, dict)
"""What JSON is made of that has a length."""


class Load(Enum):
    """What a streamed answer costs while it lasts."""

    FOLLOWED = "streams"
    """A connection that is mostly quiet."""
    READ = "exports"
    """Rows or a file, as fast as the client reads."""


CEILINGS = {
    Load.FOLLOWED: Ceiling(total=256, per_tenant=128, per_user=16),
    Load.READ: Ceiling(total=16, per_tenant=4, per_user=2),
}
"""A followed stream holds up to a megabyte of changes, an export two pages of rows: 7 MB. However
many exports are read, one page of them is made at a time."""


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


class Sending:
    """The only way out for streamed and large answers."""

    def __init__(self, bulk: FairThreadPool) -> None:
        """`bulk` encodes large answers."""
        self.seconds = WRITE_SECONDS
        self._bulk = bulk
        self.shares = {load: Shares(load.value, share) for load, share in CEILINGS.items()}
        self.unread = Shares("bytes of large answers", MOST_BYTES)

    async def streamed(self, request: ApiRequest, found: Streamed) -> Any:
        """The answer, sent; or a value that is still to be sent.

        Raises ShareTakenError, and what `answer` raises before it has begun.
        """
        outlet = self._outlet(request)
        with self.shares[Load(found.load)].taken(claimant_of(request)):
            try:
                return await found.answer(outlet)
            except ConnectionError:
                if outlet.response is None:
                    raise
                return outlet.response  # the client left, or did not read

    async def encoded(self, request: ApiRequest, found: Any) -> bytes:
        """A value as JSON; a large one is encoded in a thread."""
        if _is_long(found) or (isinstance(found, dict) and any(map(_is_long, found.values()))):
            return await self._bulk.run(claimant_of(request), partial(encoded_in_parts, found))
        return encoded(found)

    async def whole(self, request: ApiRequest, status: int, body: bytes) -> web.StreamResponse:
        """The bytes of a value; many of them in pieces. Raises ShareTakenError."""
        if len(body) <= LARGE:
            return WholeAnswer(status=status, body=body, content_type=JSON)
        outlet = self._outlet(request)
        with self.unread.taken(claimant_of(request), len(body)):
            response = await outlet.begin(JSON, status=status, length=len(body))
            try:
                await outlet.write(body)
                return await outlet.end()
            except ConnectionError:
                return response

    def _outlet(self, request: ApiRequest) -> Outlet:
        return Outlet(request.http, request.headers, seconds=self.seconds)


def claimant_of(request: ApiRequest) -> Claimant:
    """Whose share a request takes: an operator's own, or that of the user whom it concerns."""
    grant = request.grant
    if grant.administers:
        return Claimant(f"operator {grant.who}")
    return Claimant(grant.owner.tenant, grant.owner.user_id or request.values.get("user_id"))


def _is_long(value: object) -> bool:
    return isinstance(value, _CONTAINERS) and len(value) > (
        LARGE if isinstance(value, str) else MANY
    )
