"""A small answer of ours: its head and its body in one write.

aiohttp's response takes fifty calls to prepare and to end, for headers that are known.
"""

from __future__ import annotations

from typing import cast

from aiohttp import HttpVersion11, web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.helpers import must_be_empty_body, rfc822_formatted_time
from aiohttp.http import StreamWriter

from .headers import lines_of
from .relayed import status_line


class WholeAnswer(web.Response):
    """A response with a body in bytes.

    One without a body, or with one that is changed on its way, is sent as aiohttp does it.
    """

    _head: bytes | None = None

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        """Make the head; it is sent with the body."""
        is_plain = (
            isinstance(self._body, bytes)
            and request.version >= HttpVersion11
            and not (self.prepared or self._compression or self._cookies or self._chunked)
            and not must_be_empty_body(request.method, self._status)
        )
        if not is_plain:
            return await super().prepare(request)
        if self._keep_alive is None:
            self._keep_alive = request.keep_alive
        self._payload_writer = request.writer
        self._head = self._head_of(cast("bytes", self._body))
        return self._payload_writer

    async def write_eof(self, data: bytes = b"") -> None:
        """Send all of it."""
        if self._head is None:
            await super().write_eof(data)
            return
        writer = cast("StreamWriter", self._payload_writer)
        head, self._head, self._payload_writer = self._head, None, None
        self._eof_sent = True
        writer._write(head + cast("bytes", self._body))  # noqa: SLF001 - it is framed here
        if writer.protocol.writing_paused:
            await writer.drain()

    def _head_of(self, body: bytes) -> bytes:
        lines = lines_of(self._headers)
        more = "" if lines.states_length else f"Content-Length: {len(body)}\r\n"
        if body and "Content-Type" not in self._headers:
            more += "Content-Type: application/octet-stream\r\n"
        if not lines.states_date:
            more += f"Date: {rfc822_formatted_time()}\r\n"
        if not self._keep_alive and "Connection" not in self._headers:
            more += "Connection: close\r\n"
        return lines.head(status_line(HttpVersion11, self._status, self._reason), more.encode())
