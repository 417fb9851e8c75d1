"""What memory reads of a request: its body, whatever its size, without holding the loop up."""

from __future__ import annotations

from dataclasses import dataclass, replace

from aiohttp import web

from recollect.memory.bulk import Bulk
from recollect.memory.types import Message

from ..dialects.body import RequestBody, UnreadableBodyError
from ..dialects.dialect import Dialect
from ..transport.incoming import Incoming, Joining, read_incoming

INLINE_BYTES = 32 * 1024
"""A body up to this size is read on the loop, in a fraction of a millisecond."""
THREADS = 1


@dataclass(frozen=True, slots=True)
class Reading:
    """A body that memory can read."""

    raw: bytes
    """As it came."""
    body: RequestBody
    messages: list[Message]


class Reader:
    """Reads the requests of one dialect."""

    def __init__(self, dialect: Dialect, max_bytes: int) -> None:
        self.dialect = dialect
        self._max_bytes = max_bytes
        self._bulk = Bulk(THREADS, name="parse")
        self._joined = Joining()

    async def read(self, request: web.Request) -> Reading | Incoming:
        """What a request says; if memory cannot read it, what came in and why it cannot."""
        incoming = await read_incoming(request, self._max_bytes, self._joined)
        plain = incoming.plain
        if plain is None:
            return incoming

        def parse() -> Reading:
            body = self.dialect.parse(plain)
            raw = incoming.raw if isinstance(incoming.raw, bytes) else plain
            return Reading(raw, body, body.messages)

        try:
            if len(plain) <= INLINE_BYTES:
                return parse()
            # Away from the loop, one at a time for each client address.
            return await self._bulk.run(request.remote, parse)
        except UnreadableBodyError:
            return replace(incoming, plain=None, reason="unreadable_body")
