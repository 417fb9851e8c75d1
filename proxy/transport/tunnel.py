"""WebSockets: relays the handshake, and then the bytes in both directions.

Frames are not parsed, so masks, compression, pings and close codes pass unchanged.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import aiohttp
from aiohttp import web
from aiohttp.base_protocol import BaseProtocol
from multidict import CIMultiDict

from ..errors import upstream_unreachable
from .exchange import OutboundAnswer
from .headers import forwarded_request_headers, forwarded_response_headers
from .no_memory_answers import said_of

log = logging.getLogger(__name__)

SWITCHED = 101
"""The status of an accepted handshake."""


def wants_websocket(request: web.BaseRequest) -> bool:
    """Whether a request opens a WebSocket (RFC 6455 §4.1); other upgrades are not supported."""
    headers = request.headers
    connection = ",".join(headers.getall("Connection", ()))
    return (
        headers.get("Upgrade", "").strip().lower() == "websocket"
        and request.method == "GET"
        and request.version >= aiohttp.HttpVersion11
        and not request.body_exists
        and "upgrade" in map(str.strip, connection.lower().split(","))
    )


def handshake_headers(request: web.BaseRequest) -> CIMultiDict[str]:
    """The forwarded headers of a request, with its `Connection` and `Upgrade`."""
    return _switching(forwarded_request_headers(request.raw_headers), request.headers["Upgrade"])


class Tunnels:
    """Connects clients to upstreams that switched to another protocol.

    A tunnel without traffic for `idle_seconds` is closed. There is no other limit on time or size.
    """

    def __init__(self, idle_seconds: float) -> None:
        self._idle_seconds = idle_seconds
        self._open: set[_Tunnel] = set()
        self._closing = False

    def __len__(self) -> int:
        return len(self._open)

    async def carry(self, request: web.Request, answer: OutboundAnswer) -> web.StreamResponse:
        """Relay a 101 and then all bytes, until either side disconnects.

        Raises:
            ProxyError: 502; the upstream's 101 does not name a protocol.
        """
        try:
            response = await _accept(request, answer)
            tunnel = _join(request, answer, self._idle_seconds)
            self._open.add(tunnel)
            tunnel.closed.add_done_callback(lambda _: self._open.discard(tunnel))
            if self._closing:
                tunnel.close()
            await tunnel.ending
        finally:
            # Bytes that were already written are still sent.
            answer.close()
        return response

    def close(self) -> None:
        """Close all tunnels, and those about to open: a stopping server would wait for them."""
        self._closing = True
        for tunnel in list(self._open):
            tunnel.close()


class _End(asyncio.Protocol):
    """One of two connections: forwards received bytes to the other.

    It stops reading while the other's write buffer is full. It replaces aiohttp's protocol and
    passes `connection_lost` on to it.
    """

    other: _End
    tunnel: _Tunnel

    def __init__(self, transport: asyncio.Transport | None, replaced: BaseProtocol) -> None:
        self.transport = transport
        self._replaced = replaced
        if transport is not None:
            transport.set_protocol(self)

    @property
    def waiting(self) -> int:
        """Bytes in the write buffer of this process."""
        return 0 if self.transport is None else self.transport.get_write_buffer_size()

    def data_received(self, data: bytes) -> None:
        self.tunnel.note(len(data))
        self.other.write(data)

    def write(self, data: bytes) -> None:
        if data and self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)

    def close(self) -> None:
        """Close after all buffered bytes are written."""
        if self.transport is not None:
            self.transport.close()

    def abort(self) -> None:
        """Close now and discard buffered bytes."""
        if self.transport is not None:
            self.transport.abort()

    def pause_writing(self) -> None:
        if self.other.transport is not None and not self.other.transport.is_closing():
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other.transport is not None and not self.other.transport.is_closing():
            self.other.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        self.tunnel.lost(self)
        self._replaced.connection_lost(exc)


class _Tunnel:
    """Two ends that are closed together."""

    def __init__(self, client: _End, upstream: _End, idle_seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._ends = (client, upstream)
        for end, other in ((client, upstream), (upstream, client)):
            end.tunnel, end.other = self, other
        self.ending: asyncio.Future[None] = self._loop.create_future()
        """Done when one connection is closed."""
        self.closed: asyncio.Future[None] = self._loop.create_future()
        """Done when both connections are closed."""
        self._idle_seconds = idle_seconds
        self._received = self._sent = 0
        self._moved = self._loop.time()
        self._timer = self._loop.call_at(self._moved + idle_seconds, self._look)

    def note(self, received: int) -> None:
        self._received += received
        self._moved = self._loop.time()

    def close(self) -> None:
        """Close both ends after their buffers are written."""
        for end in self._ends:
            end.close()

    def lost(self, end: _End) -> None:
        """An end was closed: close the other one after its buffer is written."""
        end.other.close()
        if not self.ending.done():
            self.ending.set_result(None)
        if all(each.transport is None for each in self._ends) and not self.closed.done():
            self._timer.cancel()
            self.closed.set_result(None)

    def _look(self) -> None:
        """Abort an idle tunnel; runs again when the last byte is `idle_seconds` old."""
        waiting = sum(end.waiting for end in self._ends)
        sent = self._received - waiting
        if waiting and sent > self._sent:
            # Nothing is received because a peer reads slowly: buffered bytes still move.
            self._moved = self._loop.time()
        self._sent = sent
        due = self._moved + self._idle_seconds
        if due > self._loop.time():
            self._timer = self._loop.call_at(due, self._look)
            return
        log.warning("a tunnel was idle for %g s: closed", self._idle_seconds)
        for end in self._ends:
            end.abort()


async def _accept(request: web.Request, answer: OutboundAnswer) -> web.StreamResponse:
    if answer.connection is None:
        # aiohttp keeps the connection only if the answer has an `Upgrade` header.
        log.warning("the upstream switched to no protocol")
        raise upstream_unreachable()
    headers = _switching(forwarded_response_headers(answer.raw_headers), answer.headers["Upgrade"])
    headers.update(said_of(request.path))
    response = web.StreamResponse(status=SWITCHED, reason=answer.reason, headers=headers)
    response.force_close()
    await response.prepare(request)
    return response


def _join(request: web.Request, answer: OutboundAnswer, idle_seconds: float) -> _Tunnel:
    """Take both connections from aiohttp, and forward the bytes read after the handshake.

    This function must not await: bytes that arrive meanwhile would get lost.
    """
    connection = answer.connection
    protocol = None if connection is None else connection.protocol
    if protocol is None or request.transport is None:
        raise aiohttp.ClientConnectionResetError("the client left during the handshake")
    glued = (_Glued(), _Glued())
    # aiohttp types these as frame readers, but uses only two methods (3.14).
    parsers: tuple[Any, Any] = glued
    request.protocol.set_parser(parsers[0])
    protocol.set_parser(parsers[1], None)
    client = _End(request.transport, request.protocol)
    upstream = _End(protocol.transport, protocol)
    tunnel = _Tunnel(client, upstream, idle_seconds)
    client.data_received(bytes(glued[0].data))
    upstream.data_received(bytes(glued[1].data))
    if request.protocol.writing_paused:
        # An earlier answer is still being sent; asyncio calls `pause_writing` only once.
        client.pause_writing()
    if upstream.transport is None:
        # The upstream closed its connection right after the 101.
        tunnel.lost(upstream)
    return tunnel


class _Glued:
    """Collects the bytes that aiohttp read after a handshake.

    It stays set as aiohttp's parser, which marks the connection as no longer HTTP.
    """

    def __init__(self) -> None:
        self.data = bytearray()

    def feed_data(self, data: bytes) -> tuple[bool, bytes]:
        self.data += data
        return False, b""

    def feed_eof(self) -> None:
        pass


def _switching(headers: CIMultiDict[str], protocol: str) -> CIMultiDict[str]:
    headers["Connection"] = "Upgrade"
    headers["Upgrade"] = protocol
    return headers
