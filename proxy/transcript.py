"""What the assistant said, from a copy of the answer's bytes. Sans-IO, and bounded."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from filters.exchange import Answer

from .dialect import EndDetector
from .sse import event_data

MAX_BYTES = 4 * 2**20
"""Kept of one answer; what comes after is not learned from."""

PLAIN = frozenset({"", "identity"})
DECODABLE = PLAIN | {"gzip", "deflate"}
"""Content codings the standard library can read; no other is asked for on routes we read."""


class Transcript:
    """Collects an answer and reads it once, at the end."""

    def __init__(
        self,
        read: Callable[[Iterable[bytes]], Answer | None],
        *,
        stream: bool,
        encoding: str = "",
        end_detector: EndDetector | None = None,
    ) -> None:
        self._read = read
        self._stream = stream
        self._encoding = encoding.strip().lower()
        self._chunks: list[bytes] = []
        self._size = 0
        self._end = end_detector if stream and self._encoding in PLAIN else None

    def feed(self, chunk: bytes) -> bool:
        """Take a chunk; True if it seems to complete the last event of a stream."""
        if self._size < MAX_BYTES:
            self._chunks.append(chunk)
            self._size += len(chunk)
        return self._end is not None and self._end.feed(chunk)

    @property
    def size(self) -> int:
        """Bytes kept so far: tells whether more came since it was last read."""
        return self._size

    def answer(self, *, complete: bool = True) -> Answer | None:
        """The assistant's message, or None if there is nothing of one in the bytes."""
        if self._encoding not in DECODABLE:
            # Nobody asked for this coding. What the user said is worth keeping all the same.
            return Answer("", complete=False)
        answer = self._read(self._values(complete=complete))
        if answer is None:
            return None
        return replace(answer, complete=complete and self._size < MAX_BYTES)

    def _values(self, *, complete: bool) -> Iterator[bytes]:
        data = decode(b"".join(self._chunks), self._encoding)
        if not self._stream:
            return iter([data])
        return event_data(data if complete else data + b"\n\n")


def decode(data: bytes, encoding: str) -> bytes:
    """Undo the content coding as far as the bytes go: an answer may have been cut."""
    if encoding in PLAIN:
        return data
    windows = (zlib.MAX_WBITS | 16,) if encoding == "gzip" else (zlib.MAX_WBITS, -zlib.MAX_WBITS)
    for window in windows:
        try:
            # The bound guards against a bomb: a copy for learning needs no more than the original.
            return zlib.decompressobj(window).decompress(data, MAX_BYTES)
        except zlib.error:
            continue
    return b""
