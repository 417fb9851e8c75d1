"""A request's body as it comes in: read for memory if it can be, whole for the upstream anyway."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

from aiohttp import StreamReader, web

from .headers import transfer_codings
from .transcript import DECODABLE, PLAIN

MAX_RATIO = 50
"""A conversation shrinks to a tenth at most; what shrinks to a fiftieth was made to be unpacked."""
SMALL_BYTES = 64 * 1024
"""So much may come out of any body."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """What came of a body."""

    raw: bytes | AsyncIterator[bytes] | None
    """As it came; what is not read yet follows as it comes. None: nothing was read of it."""
    plain: bytes | None = None
    """Without its content coding; None if memory cannot read it."""
    reason: str = ""
    """Why it cannot."""


async def read_incoming(request: web.Request, max_bytes: int) -> Incoming:
    """Read a body of at most `max_bytes`, before and after its content coding is undone."""
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
        first, whole = await _read_upto(request.content, max_bytes)
        if not whole:
            return Incoming(_continued(first, request.content), reason="large_body")
        return _opened(first, coding, max_bytes)
    return _opened(await request.read(), coding, max_bytes)


def _opened(raw: bytes, coding: str, max_bytes: int) -> Incoming:
    if coding in PLAIN:
        return Incoming(raw, raw)
    try:
        plain = _inflate(raw, coding, max_bytes)
    except zlib.error:
        return Incoming(raw, reason="unreadable_body")
    return Incoming(raw, plain, "" if plain is not None else "large_body")


def _inflate(raw: bytes, coding: str, max_bytes: int) -> bytes | None:
    """The whole of it, or None if that is too large.

    Raises:
        zlib.error: it is no such thing, or not all of it, or something follows it.
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


async def _read_upto(content: StreamReader, max_bytes: int) -> tuple[bytes, bool]:
    """The beginning of a body, and whether that is all of it."""
    received = bytearray()
    async for chunk in content.iter_any():
        received += chunk
        if len(received) > max_bytes:
            return bytes(received), False
    return bytes(received), True


async def _continued(first: bytes, content: StreamReader) -> AsyncIterator[bytes]:
    yield first
    async for chunk in content.iter_any():
        yield chunk
