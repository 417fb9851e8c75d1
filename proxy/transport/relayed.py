"""An answer of the upstream as the client gets it: one head of bytes, and the body.

aiohttp's responses make a dictionary of the headers, add some and write them again; these pass
their lines on.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import cast

from aiohttp import HttpVersion, HttpVersion11, web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.helpers import (
    must_be_empty_body,
    rfc822_formatted_time,
    should_remove_content_length,
)
from aiohttp.http import StreamWriter
from multidict import CIMultiDict

from ..errors import note_begun
from .headers import (
    forwarded_response_headers,
    forwarded_response_lines,
    has_lines,
    transfer_codings,
    transfer_line,
)
from .upstream_answer import UpstreamAnswer


class RelayedResponse(web.StreamResponse):
    """The answer with headers of ours, to be written in pieces, or all at once."""

    def __init__(
        self, answer: UpstreamAnswer, said: Mapping[str, str], body: bytes | None = None
    ) -> None:
        """`body`: all of it, if it is known.

        The constructor of the base class makes what is not used here.
        """
        self._state = {}
        self._status, self._reason = answer.status, answer.reason or ""
        self._raw_headers = answer.raw_headers
        self._lines = forwarded_response_lines(answer.raw_headers)
        self._said = said
        self._whole = body
        self._in_chunks = False
        self._out: StreamWriter | None = None

    @property
    def headers(self) -> CIMultiDict[str]:
        """A copy of the headers that are passed on."""
        passed = forwarded_response_headers(self._raw_headers)
        passed.update(self._said)
        return passed

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        """Send the head, unless all is sent at once later.

        Raises:
            ValueError: a header has a control character.
        """
        if self._eof_sent or self._payload_writer is not None:
            return self._payload_writer
        head = self._head(request)
        self._payload_writer = request.writer
        self._out = cast("StreamWriter", request.writer)
        if self._whole is None:
            await note_begun(request, self)
            self._send(head)
        else:
            self._whole = head + self._whole
        return self._payload_writer

    @property
    def is_ready(self) -> bool:
        """Whether the client takes more bytes now."""
        if self._out is None:
            return False
        protocol = self._out.protocol
        transport = protocol.transport
        return not (protocol.writing_paused or transport is None or transport.is_closing())

    def pass_on(self, data: bytes) -> None:
        """Send a piece of the body without waiting for anything.

        Raises:
            aiohttp.ClientConnectionResetError: the client left.
        """
        if data:
            self._send(b"%x\r\n%b\r\n" % (len(data), data) if self._in_chunks else data)

    async def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send a piece of the body, and wait until the client takes more."""
        self.pass_on(bytes(data))
        await self._flushed()

    async def write_eof(self, data: bytes = b"") -> None:
        """End the answer."""
        if self._eof_sent:
            return
        self.pass_on(data)
        if self._whole is not None:
            self._send(self._whole)
        elif self._in_chunks:
            self._send(b"0\r\n\r\n")
        await self._flushed()
        self._eof_sent = True
        self._payload_writer = self._out = None

    def _head(self, request: web.BaseRequest) -> bytes:
        is_empty = must_be_empty_body(request.method, self._status)
        lines = self._lines
        if is_empty and should_remove_content_length(request.method, self._status):
            lines = forwarded_response_lines(
                [each for each in self._raw_headers if each[0].lower() != b"content-length"]
            )
        modern = request.version >= HttpVersion11
        unbounded = not (is_empty or lines.states_length)
        self._in_chunks = modern and unbounded
        self._keep_alive = request.keep_alive and self._keep_alive is not False
        more = _lines_of(self._said) if self._said else b""
        if self._in_chunks:
            more += transfer_line(transfer_codings(self._raw_headers))
        elif unbounded:
            self._keep_alive = False  # the end of the connection is the end of the answer
        if not lines.states_date:
            more += f"Date: {rfc822_formatted_time()}\r\n".encode()
        if modern and not self._keep_alive:
            more += b"Connection: close\r\n"
        elif self._keep_alive and not modern:
            more += b"Connection: keep-alive\r\n"
        return lines.head(status_line(request.version, self._status, self._reason), more)

    def _send(self, data: bytes) -> None:
        if self._out is None:
            raise RuntimeError("the answer has not begun, or has ended")
        self._out._write(data)  # noqa: SLF001 - its public methods frame the body

    async def _flushed(self) -> None:
        if self._out is not None and self._out.protocol.writing_paused:
            await self._out.drain()


def _lines_of(said: Mapping[str, str]) -> bytes:
    text = "".join([f"{name}: {value}\r\n" for name, value in said.items()])
    return _checked(text.encode("utf-8", "surrogateescape"), len(said))


@functools.lru_cache(maxsize=64)
def status_line(version: HttpVersion, status: int, reason: str) -> bytes:
    """The first line of an answer. Raises ValueError: the reason has a control character."""
    line = f"HTTP/{version.major}.{version.minor} {status} {reason}\r\n"
    return _checked(line.encode("utf-8", "surrogateescape"), 1)


def _checked(text: bytes, number: int) -> bytes:
    if not has_lines(text, number):
        raise ValueError("a line holds a control character")
    return text
