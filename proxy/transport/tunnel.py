"""WebSockets: the handshake is relayed, and from then on bytes go both ways as they come.

Nothing here knows what a frame is, so frames, masks, compression, pings and close codes are the
peers' own.
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
from .headers import forwarded_request_headers, forwarded_response_headers
from .relay import RELAYED

log = logging.getLogger(__name__)

SWITCHED = 101
"""The status with which an upstream agrees."""


def wants_websocket(request: web.BaseRequest) -> bool:
    """Whether a request opens a WebSocket (RFC 6455 §4.1); any other upgrade is none of ours."""
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
    """What goes upstream: everything that does otherwise, and the wish to switch."""
    return _switching(forwarded_request_headers(request.raw_headers), request.headers["Upgrade"])


class Tunnels:
    """Joins clients to upstreams that switched to another protocol.

    A tunnel on which no byte moves for `idle_seconds` is closed on both sides; there is no other
    limit, on time or on size.
    """

    def __init__(self, idle_seconds: float) -> None:
        self._idle_seconds = idle_seconds
        self._open: set[_Tunnel] = set()
        self._closing = False

    def __len__(self) -> int:
        """How many have a connection that is not closed yet."""
        return len(self._open)

    async def carry(
        self, request: web.Request, answer: aiohttp.ClientResponse
    ) -> web.StreamResponse:
        """Relay a 101 and then all bytes, until either side is gone.

        Raises:
            ProxyError: 502; the upstream says that it switches, but not to what.
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
            # What was written before still goes out.
            answer.close()
        return response

    def close(self) -> None:
        """Close all, and those that are about to open: a server that stops would wait for them."""
        self._closing = True
        for tunnel in list(self._open):
            tunnel.close()


class _End(asyncio.Protocol):
    """One of two connections: what arrives on it goes out on the other.

    When the other cannot take more, this one is not read. Its end is told to aiohttp's own
    protocol, whose place it takes.
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
        """How many bytes are still to go out (in our memory, not the system's)."""
        return 0 if self.transport is None else self.transport.get_write_buffer_size()

    def data_received(self, data: bytes) -> None:
        self.tunnel.note(len(data))
        self.other.write(data)

    def write(self, data: bytes) -> None:
        if data and self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)

    def close(self) -> None:
        """Close when everything is written."""
        if self.transport is not None:
            self.transport.close()

    def abort(self) -> None:
        """Close now, whatever is left to write."""
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
    """Two ends that live and die together."""

    def __init__(self, client: _End, upstream: _End, idle_seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._ends = (client, upstream)
        for end, other in ((client, upstream), (upstream, client)):
            end.tunnel, end.other = self, other
        self.ending: asyncio.Future[None] = self._loop.create_future()
        """One connection is closed, and the other will be when it is written out."""
        self.closed: asyncio.Future[None] = self._loop.create_future()
        """Both are."""
        self._idle_seconds = idle_seconds
        self._received = self._sent = 0
        self._moved = self._loop.time()
        self._timer = self._loop.call_at(self._moved + idle_seconds, self._look)

    def note(self, received: int) -> None:
        """So many bytes came in on either side."""
        self._received += received
        self._moved = self._loop.time()

    def close(self) -> None:
        """Close both ends when they are written out."""
        for end in self._ends:
            end.close()

    def lost(self, end: _End) -> None:
        """An end is closed: so is the other, when it is written out."""
        end.other.close()
        if not self.ending.done():
            self.ending.set_result(None)
        if all(each.transport is None for each in self._ends) and not self.closed.done():
            self._timer.cancel()
            self.closed.set_result(None)

    def _look(self) -> None:
        """Abort what has been idle; the time is that of the last byte, so this runs rarely."""
        waiting = sum(end.waiting for end in self._ends)
        sent = self._received - waiting
        if waiting and sent > self._sent:
            # Nothing comes in, because somebody takes what there is slowly.
            self._moved = self._loop.time()
        self._sent = sent
        due = self._moved + self._idle_seconds
        if due > self._loop.time():
            self._timer = self._loop.call_at(due, self._look)
            return
        log.warning("a tunnel was idle for %g s: closed", self._idle_seconds)
        for end in self._ends:
            end.abort()


async def _accept(request: web.Request, answer: aiohttp.ClientResponse) -> web.StreamResponse:
    """Send the upstream's 101 to the client."""
    if answer.connection is None:
        # aiohttp keeps it only if the answer names the protocol that follows.
        log.warning("the upstream switched to no protocol")
        raise upstream_unreachable()
    headers = _switching(forwarded_response_headers(answer.raw_headers), answer.headers["Upgrade"])
    response = web.StreamResponse(status=SWITCHED, reason=answer.reason, headers=headers)
    response[RELAYED] = "Content-Type" in headers
    response.force_close()
    await response.prepare(request)
    return response


def _join(request: web.Request, answer: aiohttp.ClientResponse, idle_seconds: float) -> _Tunnel:
    """Take both connections from aiohttp, and pass on what they had read beyond the handshake.

    There must be no await in here: bytes that arrive half-way would go to the wrong place.
    """
    connection = answer.connection
    protocol = None if connection is None else connection.protocol
    if protocol is None or request.transport is None:
        raise aiohttp.ClientConnectionResetError("the client left during the handshake")
    glued = (_Glued(), _Glued())
    # Typed for aiohttp's frame reader, of which they use only these two methods (3.14).
    parsers: tuple[Any, Any] = glued
    request.protocol.set_parser(parsers[0])
    protocol.set_parser(parsers[1], None)
    client = _End(request.transport, request.protocol)
    upstream = _End(protocol.transport, protocol)
    tunnel = _Tunnel(client, upstream, idle_seconds)
    client.data_received(bytes(glued[0].data))
    upstream.data_received(bytes(glued[1].data))
    if request.protocol.writing_paused:
        # An earlier answer is still on its way; asyncio tells only once that there is no room.
        client.pause_writing()
    if upstream.transport is None:
        # It sent its last word with its 101 and left before we could take over.
        tunnel.lost(upstream)
    return tunnel


class _Glued:
    """Takes what aiohttp had read behind a handshake.

    It stays with aiohttp as the sign that the connection speaks HTTP no more.
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
