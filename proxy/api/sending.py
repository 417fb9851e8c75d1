"""Sends answers that take time or are large, no more of them at a time than their shares."""

from __future__ import annotations

from collections.abc import Sized
from enum import Enum
from functools import partial
from typing import Any

from aiohttp import web

from recollect.config.bounds import StreamOptions
from recollect.memory.util.fair_thread_pool import FairThreadPool

from .answers import JSON, Streamed, encoded, encoded_in_parts
from .call import ApiCall
from .outlet import PIECE, Outlet
from .shares import Ceiling, Claimant, Shares

MOST_STREAMS = 256
"""Each holds a connection and up to a megabyte of changes."""
MOST_EXPORTS = 16
"""Each holds two pages of rows: seven megabytes."""
MOST_BYTES = Ceiling(total=2**27, per_tenant=2**26, per_user=2**25)
"""Of large answers that are not read yet."""
LARGE = PIECE
"""Bytes of an answer that is sent in pieces; smaller ones fit what the system buffers."""
MANY = 200
"""Results that are encoded on the loop, in a millisecond or two; more are in a thread."""


class Load(Enum):
    """What a streamed answer costs while it lasts."""

    FOLLOWED = "streams"
    """A connection that is mostly quiet."""
    READ = "exports"
    """Rows or a file, as fast as the client reads."""


class Sending:
    """The only way out for streamed and large answers."""

    def __init__(self, options: StreamOptions, bulk: FairThreadPool) -> None:
        """`bulk` encodes large answers."""
        self.seconds = options.write_seconds
        self._bulk = bulk
        followed = Ceiling(MOST_STREAMS, options.per_tenant, options.per_user)
        read = Ceiling(MOST_EXPORTS, options.exports_per_tenant, options.exports_per_user)
        self.shares = {
            load: Shares(load.value, share)
            for load, share in ((Load.FOLLOWED, followed), (Load.READ, read))
        }
        self.unread = Shares("bytes of large answers", MOST_BYTES)

    async def streamed(self, call: ApiCall, found: Streamed) -> Any:
        """The answer, sent; or a value that is still to be sent.

        Raises ShareTakenError, and what `answer` raises before it has begun.
        """
        outlet = self._outlet(call)
        with self.shares[Load(found.load)].taken(claimant_of(call)):
            try:
                return await found.answer(outlet)
            except ConnectionError:
                if outlet.response is None:
                    raise
                return outlet.response  # the client left, or did not read

    async def encoded(self, call: ApiCall, found: Any) -> bytes:
        """A value as JSON; a large one is encoded in a thread."""
        if _is_long(found) or (isinstance(found, dict) and any(map(_is_long, found.values()))):
            return await self._bulk.run(claimant_of(call), partial(encoded_in_parts, found))
        return encoded(found)

    async def whole(self, call: ApiCall, status: int, body: bytes) -> web.StreamResponse:
        """The bytes of a value; many of them in pieces. Raises ShareTakenError."""
        if len(body) <= LARGE:
            return web.Response(status=status, body=body, content_type=JSON)
        outlet = self._outlet(call)
        with self.unread.taken(claimant_of(call), len(body)):
            response = await outlet.begin(JSON, status=status, length=len(body))
            try:
                await outlet.write(body)
                return await outlet.end()
            except ConnectionError:
                return response

    def _outlet(self, call: ApiCall) -> Outlet:
        return Outlet(call.request, call.headers, seconds=self.seconds)


def claimant_of(call: ApiCall) -> Claimant:
    """Whose share a request takes: an operator's own, or that of the user whom it concerns."""
    grant = call.grant
    if grant.administers:
        return Claimant(f"operator {grant.who}")
    return Claimant(grant.owner.tenant, grant.owner.user_id or call.asked.get("user_id"))


def _is_long(value: object) -> bool:
    return isinstance(value, Sized) and len(value) > (LARGE if isinstance(value, str) else MANY)
