"""Reads a request's body for memory without blocking the loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from aiohttp import web

from recollect.memory.model.types import Message
from recollect.memory.util.fair_thread_pool import FairThreadPool

from ..api.shares import Ceiling, Shares
from ..dialects.body import RequestBody, UnreadableBodyError
from ..dialects.dialect import Dialect
from ..errors import ProxyError
from ..transport.incoming import Incoming, Joining, read_incoming

Refused = Callable[[bytes], ProxyError | None]
INLINE_BYTES = 32 * 1024
"""A body up to this size is parsed on the loop, in a fraction of a millisecond."""
THREADS = 1
LARGE_BYTES = 2**18
"""A body from this size is counted while its chat lasts: memory holds it in several forms."""
MOST_LARGE = Ceiling(total=2**28, per_tenant=2**26, per_user=2**26)
"""Bytes of large bodies that are held at a time, in all and of one address; further ones pass
unread."""


@dataclass(frozen=True, slots=True)
class ParsedRequest:
    """A body that memory can read."""

    raw: bytes
    """The body as received."""
    body: RequestBody
    messages: list[Message]


def large_bodies() -> Shares:
    """Counts the large bodies of a process."""
    return Shares("bytes of chats", MOST_LARGE)


class Reader:
    """Reads the requests of one dialect."""

    def __init__(
        self,
        dialect: Dialect,
        max_bytes: int,
        refused: Refused = lambda _: None,
        large: Shares | None = None,
    ) -> None:
        """`refused` says why a body must not go upstream, if it must not.

        `large` is shared by the readers of all dialects.
        """
        self._refused = refused
        self.large = large or large_bodies()
        self.dialect = dialect
        self._max_bytes = max_bytes
        self._bulk = FairThreadPool(THREADS, name="parse")
        self._joined = Joining()

    def large_size(self, request: web.Request) -> int:
        """The bytes to be counted of a body, before it is read; 0 of a small one."""
        size = request.content_length
        if size is None:
            size = self._max_bytes if request.body_exists else 0
        return size if LARGE_BYTES <= size <= self._max_bytes else 0

    async def read(self, request: web.Request) -> ParsedRequest | Incoming:
        """The parsed body; if memory cannot read it, the raw body and the reason.

        Raises ProxyError if it must not go upstream.
        """
        incoming = await read_incoming(request, self._max_bytes, self._joined)
        plain = incoming.plain
        if plain is None:
            return incoming

        def parse() -> ParsedRequest:
            if (refusal := self._refused(plain)) is not None:
                raise refusal
            body = self.dialect.parse(plain)
            raw = incoming.raw if isinstance(incoming.raw, bytes) else plain
            return ParsedRequest(raw, body, body.messages)

        try:
            if len(plain) <= INLINE_BYTES:
                return parse()
            # Off the loop, one body at a time for each client address and size: a long
            # conversation does not wait for all that are a hundred times as long.
            return await self._bulk.run((request.remote, len(plain).bit_length()), parse)
        except UnreadableBodyError:
            return replace(incoming, plain=None, reason="unreadable_body")
