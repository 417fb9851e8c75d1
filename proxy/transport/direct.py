"""Passes the pieces of a body on in the turn of the loop in which they come.

aiohttp wakes a reader for every piece: a future, a turn of the loop and a task, for each event of a
stream. Here the reader sleeps as long as somebody takes the pieces, and reads what nobody took.
"""
# ruff: noqa: SLF001 - the parts of aiohttp's reader that its own methods use

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Self

from aiohttp.streams import EMPTY_PAYLOAD, StreamReader

from .outbound import OutboundProtocol

Take = Callable[[bytes], bool]
"""Passes a piece on; False if it has to be read."""


class _PassedOn(StreamReader):
    """A reader while its pieces are gathered: by its connection, in one piece for each receipt.

    A reader becomes one of this class and turns back.
    """

    __slots__ = ()
    _protocol: OutboundProtocol

    def feed_data(self, data: bytes, size: int = 0) -> bool:  # noqa: ARG002 - theirs
        self._protocol.gathered.append(data)
        return False

    def begin_http_chunk_receiving(self) -> None:
        """Nobody asks where the chunks end."""

    def end_http_chunk_receiving(self) -> None:
        """As above."""

    def feed_eof(self) -> None:
        self._protocol.hand_on()
        _turn_back(self)
        self.feed_eof()

    def set_exception(self, exc: BaseException, *cause: BaseException) -> None:
        self._protocol.hand_on()
        _turn_back(self)
        self.set_exception(exc, *cause)


def _turn_back(content: StreamReader) -> None:
    """At once when a body ends: the next request may be given its connection."""
    if isinstance(content, _PassedOn):
        content._protocol.gathers_for(None)
        content.__class__ = StreamReader  # type: ignore[assignment]


class Rest:
    """The pieces of a body that have to be read, because `take` did not pass them on."""

    def __init__(self, content: StreamReader, protocol: OutboundProtocol, take: Take) -> None:
        self._content = content
        self._protocol = protocol
        self._take = take
        if content._http_chunk_splits is None:
            # It must not hear of the middle of a chunk first.
            content._http_chunk_splits = deque()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        content = self._content
        while not (content._buffer or content._eof or content._exception):
            content.__class__ = _PassedOn
            self._protocol.gathers_for(self._taken)
            try:
                await content._wait("rest")
            finally:
                _turn_back(content)
        if content._exception is not None:
            raise content._exception
        if not content._buffer:
            raise StopAsyncIteration
        return _all_of(content)

    def _taken(self, piece: bytes) -> None:
        if not self._take(piece):
            _turn_back(self._content)
            self._content.feed_data(piece)


def arrived(content: StreamReader) -> bytes | None:
    """A body, if all of it has come and nobody read of it; nobody can read it again."""
    if content is EMPTY_PAYLOAD:
        return b""
    if not content._eof or content._exception is not None:
        return None
    return _all_of(content)


def _all_of(content: StreamReader) -> bytes:
    """What a reader holds. Its own way takes twenty calls for each chunk."""
    buffer, protocol = content._buffer, content._protocol
    piece = buffer[0] if len(buffer) == 1 else b"".join(buffer)
    buffer.clear()
    content._cursor += content._size
    content._size = 0
    if content._http_chunk_splits:
        content._http_chunk_splits.clear()
    if protocol._reading_paused:
        protocol.resume_reading()
    return piece
