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
from multidict import CIMultiDict

from .headers import RawHeaders, forwarded_response_headers, transfer_codings

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

RELAYED = web.ResponseKey("relayed", bool)
"""On relayed responses: whether the upstream sent a content type."""
CODINGS = web.ResponseKey("codings", str)
"""On relayed responses: the upstream's transfer codings beside `chunked`."""


class AnswerBody(Protocol):
    """The body of an answer that is relayed."""

    def iter_any(self) -> AsyncIterator[bytes]:
        """Its chunks as they come, once."""


class UpstreamAnswer(Protocol):
    """What is relayed: the upstream's answer (`aiohttp.ClientResponse`), or one made of several."""

    @property
    def status(self) -> int: ...

    @property
    def reason(self) -> str | None: ...

    @property
    def headers(self) -> Mapping[str, str]: ...

    @property
    def raw_headers(self) -> RawHeaders: ...

    @property
    def content_type(self) -> str: ...

    @property
    def content_length(self) -> int | None: ...

    @property
    def content(self) -> AnswerBody: ...

    def close(self) -> None: ...


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
    extra: Mapping[str, str] | None = None,
    tee: Tee | None = None,
) -> web.StreamResponse:
    """Relay the upstream's answer and return it as the handler's response."""
    headers = forwarded_response_headers(answer.raw_headers)
    if extra:
        headers.update(extra)
    told = _NoTee() if tee is None else tee
    try:
        return await _carry(request, answer, headers, told)
    except BaseException:
        # The client disconnected: the handler was cancelled, or a write failed.
        told.abandon()
        raise
    finally:
        # A complete answer has returned its connection to the pool; any other must be closed.
        answer.close()


async def _carry(
    request: web.Request, answer: UpstreamAnswer, headers: CIMultiDict[str], tee: Tee
) -> web.StreamResponse:
    if request.method == "HEAD" or answer.status in _NO_BODY_STATUSES:
        return _stream_response(answer, headers)
    length = answer.content_length
    chunks: AsyncIterator[bytes] = answer.content.iter_any()
    if length is not None and length <= WHOLE_BYTES:
        body, complete = await _read(answer)
        if complete:
            return await _whole(answer, headers, body, tee)
        chunks = _broken(body)
    response = _stream_response(answer, headers)
    try:
        await response.prepare(request)
        await _stream(request, response, chunks, length, tee)
    except aiohttp.ClientConnectionResetError:
        # A write noticed the disconnect before the handler was cancelled; this is not an error.
        tee.abandon()
    return response


async def _whole(
    answer: UpstreamAnswer, headers: CIMultiDict[str], body: bytes, tee: Tee
) -> web.Response:
    tee.feed(body)
    await tee.finish(complete=True)
    had_type = "Content-Type" in headers
    response = web.Response(status=answer.status, reason=answer.reason, headers=headers, body=body)
    response[RELAYED] = had_type
    return response


async def _read(answer: UpstreamAnswer) -> tuple[bytes, bool]:
    """The received bytes, and whether they are the whole body."""
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


async def _stream(
    request: web.Request,
    response: web.StreamResponse,
    chunks: AsyncIterator[bytes],
    length: int | None,
    tee: Tee,
) -> None:
    """Relay the chunks, and finish the tee before the last byte.

    The last byte is in the last chunk of a known length, in the chunk with the end mark, or in the
    empty chunk that ends a chunked body.
    """
    left = length
    try:
        async for chunk in chunks:
            if left is not None:
                left -= len(chunk)
            if tee.feed(chunk) or left == 0:
                await tee.finish(complete=True)
            await response.write(chunk)
        await tee.finish(complete=True)
    except _BROKEN_OFF as error:
        log.warning("the upstream broke off its answer: %s", type(error).__name__)
        await tee.finish(complete=False)
        # The client must notice the cut: no final chunk, no clean end.
        if request.transport is not None:
            request.transport.close()
        return
    await response.write_eof()


def _stream_response(answer: UpstreamAnswer, headers: CIMultiDict[str]) -> web.StreamResponse:
    had_type = "Content-Type" in headers
    response = web.StreamResponse(status=answer.status, reason=answer.reason, headers=headers)
    response[RELAYED] = had_type
    response[CODINGS] = transfer_codings(answer.raw_headers)
    return response


async def mend_headers(_request: web.BaseRequest, response: web.StreamResponse) -> None:
    """Signal handler: remove headers that aiohttp added, and restore transfer codings."""
    if response.headers.get("Server") == SERVER_SOFTWARE:
        # Do not disclose versions.
        del response.headers["Server"]
    had_type = response.get(RELAYED)
    if had_type is None:
        return
    if not had_type:
        response.headers.pop("Content-Type", None)
    if response.get(CODINGS) and "Transfer-Encoding" in response.headers:
        response.headers["Transfer-Encoding"] = f"{response[CODINGS]}, chunked"
