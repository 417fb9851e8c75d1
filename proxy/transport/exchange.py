"""One request on a connection to the upstream, and its answer.

aiohttp's `ClientSession` makes many objects for each request that a proxy does not need. This is
the part of it that is left: a head, a body, and the answer with an unread body.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator

import aiohttp
from aiohttp.connector import Connection
from aiohttp.helpers import HeadersMixin
from aiohttp.http import RawResponseMessage, StreamWriter
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.streams import EMPTY_PAYLOAD, StreamReader

from ..beside import beside
from .direct import Rest, Take, arrived
from .outbound import OutboundProtocol

AT_ONCE_BYTES = 2**20
"""Bodies up to this size are sent in one write with the head."""
_PIECE_BYTES = 2**18

Body = bytes | AsyncIterable[bytes] | None


class BrokenAnswerError(aiohttp.ClientError):
    """What came instead of an answer is not HTTP."""


class OutboundAnswer(HeadersMixin):
    """The upstream's answer; its connection goes back to the pool when its body has come."""

    def __init__(
        self,
        connection: Connection,
        protocol: OutboundProtocol,
        message: RawResponseMessage,
        content: StreamReader,
        writing: asyncio.Task[None] | None,
    ) -> None:
        self.status = message.code
        self.reason = message.reason
        self.headers = self._headers = message.headers
        self.raw_headers = message.raw_headers
        self.content = content
        self.connection: Connection | None = connection
        """None once the answer has ended or was closed."""
        self._protocol = protocol
        self._writing = writing
        content.on_eof(self._ended)

    def arrived(self) -> bytes | None:
        """The body, if all of it has come already."""
        return arrived(self.content)

    def rest(self, take: Take) -> AsyncIterator[bytes]:
        """The pieces of the body that `take` does not pass on as they come."""
        if self.content is EMPTY_PAYLOAD:
            return self.content.iter_any()
        return Rest(self.content, self._protocol, take)

    def close(self) -> None:
        """Close the connection if the answer has not ended; a reader of its body gets an error."""
        connection, self.connection = self.connection, None
        if connection is None:
            return
        if self.content.exception() is None:
            self.content.set_exception(aiohttp.ClientConnectionError("Connection closed"))
        if self._writing is not None:
            self._writing.cancel()
        connection.close()

    def _ended(self) -> None:
        connection = self.connection
        if connection is None or connection.protocol is None or connection.protocol.upgraded:
            return
        self.connection = None
        if self._writing is None or self._writing.done():
            connection.release()
        else:  # The rest of the request is not wanted.
            self._writing.cancel()
            connection.close()


async def exchange(
    connection: Connection, protocol: OutboundProtocol, head: bytes, body: Body, *, chunked: bool
) -> OutboundAnswer:
    """Send a request on a connection and wait for the head of its answer.

    `chunked`: whether the body is sent in chunks. The caller called `protocol.begin`.

    Raises:
        aiohttp.ClientError: there is no answer. Its cause is what the chunks of the body raised.
    """
    writing: asyncio.Task[None] | None = None
    try:
        if body is None or (isinstance(body, bytes) and len(body) <= AT_ONCE_BYTES):
            sent = _framed(body, chunked=chunked) if body is not None else b""
            _write(protocol, head + sent)
            body = None
        else:
            _write(protocol, head)
        if body is None and not protocol.writing_paused:
            protocol.start_timeout()
        else:
            rest = _sent(connection, protocol, body, chunked=chunked)
            writing = beside(rest, name="the rest of a request")
        message, content = await protocol.answer()
    except BaseException as error:
        if writing is not None:
            writing.cancel()
        connection.close()
        if isinstance(error, HttpProcessingError):
            raise BrokenAnswerError(error.message) from error
        raise
    return OutboundAnswer(connection, protocol, message, content, writing)


def _write(protocol: OutboundProtocol, data: bytes) -> None:
    if protocol.transport is None:
        raise aiohttp.ServerDisconnectedError
    protocol.transport.write(data)


def _framed(body: bytes, *, chunked: bool) -> bytes:
    if not chunked:
        return body
    return b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if body else b"0\r\n\r\n"


async def _sent(
    connection: Connection, protocol: OutboundProtocol, body: Body, *, chunked: bool
) -> None:
    """Send what is left of a request, no faster than the upstream takes it."""
    writer = StreamWriter(protocol, asyncio.get_running_loop())
    writer.chunked = chunked and body is not None
    try:
        try:
            if body is not None:
                async for piece in _pieces(body) if isinstance(body, bytes) else body:
                    await writer.write(piece)
        except OSError as error:
            failure = aiohttp.ClientOSError(error.errno, "cannot send the body")
            failure.__cause__ = error
            protocol.set_exception(failure)
        except Exception as error:  # noqa: BLE001 - the waiting reader of the answer gets it
            broken = aiohttp.ClientConnectionError("the body ended with an error")
            broken.__cause__ = error
            protocol.set_exception(broken)
        else:
            await writer.write_eof()
            await writer.drain()
            protocol.start_timeout()
    except BaseException:
        connection.close()
        raise


async def _pieces(body: bytes) -> AsyncIterator[memoryview]:
    view = memoryview(body)
    for at in range(0, len(body), _PIECE_BYTES):
        yield view[at : at + _PIECE_BYTES]
