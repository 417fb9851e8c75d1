"""The upstream's answer of one round: its events, or its bytes in one piece."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator

import aiohttp

from ...dialects.transcript import is_stream
from ...transport.upstream_answer import UpstreamAnswer
from .events import EventSplitter, StreamEvent
from .merged import broken_off

MAX_BODY_BYTES = 16 * 2**20
"""An answer in one piece that is longer is not read: it is passed on as it comes."""
_LONGEST_NAME = 200

Take = Callable[[StreamEvent], Iterator[bytes]]


class Received:
    """One answer, which is read once."""

    def __init__(self, answer: UpstreamAnswer, raw: bytes | None = None) -> None:
        """`raw`: all of it, if it was read already."""
        self._splitter = EventSplitter()
        self._after = b""
        """What came with the mark of the end, after it."""
        self._first: bytes | None = raw
        self._chunks = _ended(broken=False) if raw is not None else answer.content.iter_any()

    async def is_stream(self, *, labelled: bool) -> bool:
        """Whether it begins as events do; servers may label it wrongly. Waits for its first bytes.

        Raises what reading an answer raises.
        """
        return is_stream(await self._beginning(), labelled=labelled)

    async def events(self, take: Take) -> AsyncIterator[bytes]:
        """What goes to the client of its events, chunk by chunk, until the mark of the end."""
        async for chunk in self.chunks():
            done = False
            out: list[bytes] = []
            for event in self._splitter.feed(chunk):
                if done:
                    self._after += event.raw
                else:
                    out += take(event)
                done = done or event.is_done
            if whole := b"".join(out):
                yield whole
            if done:
                return
        if rest := b"".join(piece for event in self._splitter.end() for piece in take(event)):
            yield rest

    async def rest(self) -> AsyncIterator[bytes]:
        """What comes after that mark, as it comes; some servers keep the connection open."""
        if left := self._after + b"".join(event.raw for event in self._splitter.end()):
            yield left
        async for chunk in self.chunks():
            yield chunk

    async def whole(self) -> tuple[bytes, bool]:
        """What was received of an answer in one piece, and whether that is all."""
        received = bytearray()
        try:
            async for chunk in self.chunks():
                received += chunk
                if len(received) > MAX_BODY_BYTES:
                    return bytes(received), False
        except aiohttp.ClientError:
            self._chunks = _ended(broken=True)
            return bytes(received), False
        return bytes(received), True

    async def unread(self, raw: bytes, names: Iterable[str]) -> AsyncIterator[bytes]:
        """What `whole` could not read, as it comes.

        It breaks off where a name of our tools stands in quotes: no call of ours goes to a client.
        """
        marks = [f'"{name}"'.encode() for name in names]
        self._first, seen = raw, b""
        async for chunk in self.chunks():
            seen = seen[-_LONGEST_NAME:] + chunk
            if any(mark in seen for mark in marks):
                raise broken_off()
            yield chunk

    async def chunks(self) -> AsyncIterator[bytes]:
        """Its bytes, as far as nobody read them."""
        first, self._first = self._first, None
        if first:
            yield first
        async for chunk in self._chunks:
            yield chunk

    async def _beginning(self) -> bytes:
        if self._first is None:
            self._first = await anext(aiter(self._chunks), b"")
        return self._first


async def _ended(*, broken: bool) -> AsyncIterator[bytes]:
    """No more chunks."""
    if broken:
        raise broken_off()
    for chunk in list[bytes]():
        yield chunk
