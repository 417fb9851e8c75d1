"""A request's body as it comes in: read for memory if it can be, whole for the upstream anyway."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

from aiohttp import StreamReader, web

from .headers import DECODABLE, PLAIN, transfer_codings

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


class Joining:
    """Puts bodies together, one in each turn of the loop: a large one takes milliseconds."""

    def __init__(self) -> None:
        self._in_turn = asyncio.Lock()

    async def __call__(self, chunks: list[bytes]) -> bytes:
        """All of them as one."""
        if len(chunks) <= 1:
            return b"".join(chunks)
        async with self._in_turn:
            await asyncio.sleep(0)
            return b"".join(chunks)


async def read_incoming(request: web.Request, max_bytes: int, joined: Joining) -> Incoming:
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
        chunks, whole = await _read_upto(request.content, max_bytes)
        if not whole:
            return Incoming(_continued(chunks, request.content), reason="large_body")
        return _opened(await joined(chunks), coding, max_bytes)
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


async def _read_upto(content: StreamReader, max_bytes: int) -> tuple[list[bytes], bool]:
    """The beginning of a body in pieces, and whether that is all of it."""
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
