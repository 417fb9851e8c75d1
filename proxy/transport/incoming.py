"""Reads a request's body for memory where possible; the upstream always gets the whole body."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

from aiohttp import StreamReader, web

from .direct import arrived
from .headers import DECODABLE, PLAIN, transfer_codings

MAX_RATIO = 50
"""Largest expansion of a compressed body: conversations expand at most tenfold, bombs more."""
SMALL_BYTES = 64 * 1024
"""A body may expand to this size in any case."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A received body."""

    raw: bytes | AsyncIterator[bytes] | None
    """The body as received, or a stream with the unread rest. None if nothing was read."""
    plain: bytes | None = None
    """The body without its content coding; None if memory cannot read it."""
    reason: str = ""
    """Why memory cannot read it."""


class Joining:
    """Joins the chunks of bodies, one body per turn of the loop: a large one takes milliseconds."""

    def __init__(self) -> None:
        self._in_turn = asyncio.Lock()

    async def __call__(self, chunks: list[bytes]) -> bytes:
        if len(chunks) <= 1:
            return b"".join(chunks)
        async with self._in_turn:
            await asyncio.sleep(0)
            return b"".join(chunks)


async def read_incoming(request: web.Request, max_bytes: int, joined: Joining) -> Incoming:
    """Read a body of at most `max_bytes`, encoded and decoded."""
    if not request.body_exists:
        return Incoming(None, reason="unreadable_body")
    if transfer_codings(request.raw_headers):
        return Incoming(None, reason="encoded_body")
    coding = request.headers.get("Content-Encoding", "").strip().lower()
    if coding not in DECODABLE:
        return Incoming(None, reason="encoded_body")
    length = request.content_length
    if length is not None and length > max_bytes:
        return Incoming(None, reason="large_body")
    if length is None:
        chunks, ended = await _read_upto(request.content, max_bytes)
        if not ended:
            return Incoming(_continued(chunks, request.content), reason="large_body")
        return _opened(await joined(chunks), coding, max_bytes)
    if length <= SMALL_BYTES and (whole := arrived(request.content)) is not None:
        return _opened(whole, coding, max_bytes)
    chunks, _ = await _read_upto(request.content, length)
    return _opened(await joined(chunks), coding, max_bytes)


def _opened(raw: bytes, coding: str, max_bytes: int) -> Incoming:
    if coding in PLAIN:
        return Incoming(raw, raw)
    try:
        plain = _inflate(raw, coding, max_bytes)
    except zlib.error:
        return Incoming(raw, reason="unreadable_body")
    return Incoming(raw, plain, "" if plain is not None else "large_body")


def _inflate(raw: bytes, coding: str, max_bytes: int) -> bytes | None:
    """The decoded body, or None if it is too large.

    Raises:
        zlib.error: the stream is invalid or incomplete, or bytes follow it.
    """
    max_bytes = min(max_bytes, SMALL_BYTES + MAX_RATIO * len(raw))
    # "deflate" is zlib's format (RFC 9110 §8.4.1.2).
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | (16 if coding == "gzip" else 0))
    plain = unpacker.decompress(raw, max_bytes)
    if unpacker.unconsumed_tail:
        return None
    if not unpacker.eof or unpacker.unused_data:
        raise zlib.error("not one whole stream")
    return plain


async def _read_upto(content: StreamReader, max_bytes: int) -> tuple[list[bytes], bool]:
    """The chunks of a body, up to `max_bytes`, and whether they are the whole body."""
    received: list[bytes] = []
    size = 0
    async for chunk in content.iter_any():
        received.append(chunk)
        size += len(chunk)
        if size > max_bytes:
            return received, False
    return received, True


async def _continued(first: list[bytes], content: StreamReader) -> AsyncIterator[bytes]:
    for chunk in first:
        yield chunk
    async for chunk in content.iter_any():
        yield chunk
