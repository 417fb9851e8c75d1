"""Relays an answer from the upstream to the client, byte for byte.

A `Tee` gets a copy and is called before the last byte is sent. It can delay that byte but cannot
change the answer.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from typing import Protocol

import aiohttp
from aiohttp import web
from aiohttp.http import SERVER_SOFTWARE

from .exchange import OutboundAnswer
from .relayed import RelayedResponse
from .upstream_answer import UpstreamAnswer

log = logging.getLogger(__name__)

WHOLE_BYTES = 2**18
"""Answers of a known length up to this size are sent in one write with their headers."""

_NO_BODY_STATUSES = frozenset({204, 304})
_BROKEN_OFF = (
    aiohttp.ClientPayloadError,
    aiohttp.ServerTimeoutError,
    aiohttp.ClientOSError,
    aiohttp.ServerDisconnectedError,
)
"""The errors of an answer that the upstream ends early. A client that disconnects causes
`aiohttp.ClientConnectionResetError` instead."""


class Tee(Protocol):
    """Receives a copy of an answer."""

    def feed(self, chunk: bytes) -> bool:
        """Take a chunk; True if it seems to be the last one."""

    async def finish(self, *, complete: bool) -> None:
        """Called before the last byte is sent, or, if not `complete`, after the upstream broke off.

        Called again if more bytes follow. Must not raise.
        """

    def abandon(self) -> None:
        """The client disconnected: keep what was received, without delaying this request."""


class _NoTee:
    """Ignores the answer."""

    def feed(self, _chunk: bytes) -> bool:
        return False

    async def finish(self, *, complete: bool) -> None:
        pass

    def abandon(self) -> None:
        pass


async def relay(
    request: web.Request,
    answer: UpstreamAnswer,
    *,
    said: Mapping[str, str],
    tee: Tee | None = None,
) -> web.StreamResponse:
    """Relay the upstream's answer, with headers of ours, and return it as the response."""
    told = _NoTee() if tee is None else tee
    try:
        return await _carry(request, answer, said, told)
    except BaseException:
        # The client disconnected: the handler was cancelled, or a write failed.
        told.abandon()
        raise
    finally:
        # A complete answer has returned its connection to the pool; any other must be closed.
        answer.close()


async def _carry(
    request: web.Request, answer: UpstreamAnswer, said: Mapping[str, str], tee: Tee
) -> web.StreamResponse:
    if request.method == "HEAD" or answer.status in _NO_BODY_STATUSES:
        return RelayedResponse(answer, said)
    length = answer.content_length
    broken: bytes | None = None
    if length is not None and length <= WHOLE_BYTES:
        body, complete = await _read(answer)
        if complete:
            tee.feed(body)
            await tee.finish(complete=True)
            return RelayedResponse(answer, said, body)
        broken = body
    response = RelayedResponse(answer, said)
    passing = _Passing(response, tee, length)
    chunks = _broken(broken) if broken is not None else _chunks(answer, passing)
    try:
        await response.prepare(request)
        await _stream(request, response, chunks, passing)
    except aiohttp.ClientConnectionResetError:
        # A write noticed the disconnect before the handler was cancelled; this is not an error.
        tee.abandon()
    return response


async def _read(answer: UpstreamAnswer) -> tuple[bytes, bool]:
    """The received bytes, and whether they are the whole body."""
    if isinstance(answer, OutboundAnswer) and (body := answer.arrived()) is not None:
        return body, True
    received = bytearray()
    try:
        async for chunk in answer.content.iter_any():
            received += chunk
    except _BROKEN_OFF:
        return bytes(received), False
    return bytes(received), True


async def _broken(received: bytes) -> AsyncIterator[bytes]:
    """The received part of a body, followed by the error."""
    if received:
        yield received
    raise aiohttp.ClientPayloadError("the upstream broke off")


def _chunks(answer: UpstreamAnswer, passing: _Passing) -> AsyncIterator[bytes]:
    """Those that `passing` does not take as they come."""
    if isinstance(answer, OutboundAnswer):
        return answer.rest(passing.take)
    return answer.content.iter_any()


class _Passing:
    """Passes chunks on, and knows which one waits for the tee.

    The last byte is in the last chunk of a known length, in the chunk with the end mark, or in the
    empty chunk that ends a chunked body.
    """

    def __init__(self, response: RelayedResponse, tee: Tee, length: int | None) -> None:
        self._response = response
        self._tee = tee
        self._left = length
        self._told = 0
        self._seems_last = False

    def take(self, chunk: bytes) -> bool:
        """Pass a chunk on at once; False if the client or the tee has to be waited for."""
        if not self._response.is_ready:
            return False
        if self._is_last(chunk):
            self._told, self._seems_last = len(chunk), True
            return False
        self._response.pass_on(chunk)
        return True

    async def carry(self, chunk: bytes) -> None:
        """Pass a chunk on, after the tee if it seems to be the last one."""
        seems_last, told = self._seems_last, self._told
        self._seems_last, self._told = False, 0
        if told < len(chunk) and self._is_last(chunk[told:]):
            seems_last = True
        if seems_last:
            await self._tee.finish(complete=True)
        await self._response.write(chunk)

    async def end(self, *, complete: bool) -> None:
        """No more chunks come."""
        await self._tee.finish(complete=complete)

    def _is_last(self, chunk: bytes) -> bool:
        if self._left is not None:
            self._left -= len(chunk)
        return self._tee.feed(chunk) or self._left == 0


async def _stream(
    request: web.Request,
    response: RelayedResponse,
    chunks: AsyncIterator[bytes],
    passing: _Passing,
) -> None:
    """Relay the chunks, and finish the tee before the last byte."""
    try:
        async for chunk in chunks:
            await passing.carry(chunk)
        await passing.end(complete=True)
    except _BROKEN_OFF as error:
        log.warning("the upstream broke off its answer: %s", type(error).__name__)
        await passing.end(complete=False)
        # The client must notice the cut: no final chunk, no clean end.
        if request.transport is not None:
            request.transport.close()
        return
    await response.write_eof()


async def hide_server(_request: web.BaseRequest, response: web.StreamResponse) -> None:
    """Signal handler: do not disclose versions."""
    if response.headers.get("Server") == SERVER_SOFTWARE:
        del response.headers["Server"]
