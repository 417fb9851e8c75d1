"""Reads the assistant's message from a copy of the answer's bytes. Sans-IO, bounded.

Some servers send wrong headers, so the bytes decide first how an answer is read.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from recollect.filters.exchange import Answer
from recollect.memory.util.untrusted_json import json_object

from ..transport.headers import DECODABLE, PLAIN
from .dialect import EndDetector
from .sse import event_data

MAX_BYTES = 4 * 2**20
"""Bytes kept of one answer; the rest is not learned from."""

_GZIP_MAGIC = b"\x1f\x8b"
_STEP = 64 * 1024
"""Bytes decompressed at a time: at most this much is lost before a broken position."""
_EVENTS = re.compile(rb"\s*(?:data|event|id|retry)?:")
_DOCUMENT = re.compile(rb"\s*[{\[]")
_BOM = b"\xef\xbb\xbf"


class Transcript:
    """Collects an answer and reads it once, at the end."""

    def __init__(
        self,
        read: Callable[[Iterable[bytes]], Answer | None],
        *,
        stream: bool,
        lines: bool = False,
        encoding: str = "",
        end_detector: EndDetector | None = None,
    ) -> None:
        """`stream`: whether the headers announce events; `lines`: pieces are lines of JSON."""
        self._lines = lines
        self._read = read
        self._stream = stream
        self._encoding = encoding.strip().lower()
        self._chunks: list[bytes] = []
        self._size = 0
        self._end = end_detector if self._encoding in PLAIN else None

    def feed(self, chunk: bytes) -> bool:
        """Take a chunk; True if it seems to complete the last event of a stream."""
        if not self._chunks:
            self._stream = is_stream(chunk, labelled=self._stream)
        if self._size < MAX_BYTES:
            self._chunks.append(chunk)
            self._size += len(chunk)
        in_pieces = self._stream or self._lines
        return in_pieces and self._end is not None and self._end.feed(chunk)

    @property
    def size(self) -> int:
        return self._size

    @property
    def is_packed(self) -> bool:
        """Whether the bytes have to be decompressed."""
        return self._encoding not in PLAIN or any(
            chunk.startswith(_GZIP_MAGIC) for chunk in self._chunks[:1]
        )

    def answer(self, *, complete: bool = True) -> Answer | None:
        """The assistant's message, or None if the bytes contain none."""
        if self._encoding not in DECODABLE:
            # A coding that was not requested. The user's message can still be learned from.
            return Answer("", complete=False)
        data, whole = decode(b"".join(self._chunks), self._encoding)
        answer = self._read(self._values(data))
        if answer is None:
            return None
        return replace(answer, complete=complete and whole and self._size < MAX_BYTES)

    def reports_error(self) -> bool:
        """Whether the bytes contain an error of the upstream instead of an answer."""
        data, _ = decode(b"".join(self._chunks), self._encoding)
        said = map(json_object, self._values(data))
        return any(
            value.get("error") is not None or value.get("type") == "error"
            for value in said
            if value
        )

    def _values(self, data: bytes) -> Iterator[bytes]:
        if self._lines:
            return (line for line in data.splitlines() if line.strip())
        if not is_stream(data, labelled=self._stream):
            return iter([data])
        # Some servers omit the empty line after the last event.
        return event_data(data.removeprefix(_BOM) + b"\n\n")


def is_stream(beginning: bytes, *, labelled: bool) -> bool:
    """Whether these bytes begin a stream of events; `labelled` decides unclear cases."""
    bare = beginning.removeprefix(_BOM)
    if _DOCUMENT.match(bare):
        return False
    return labelled or _EVENTS.match(bare) is not None


def decode(data: bytes, encoding: str) -> tuple[bytes, bool]:
    """The decoded bytes, and whether decoding reached the end.

    The answer may be cut, broken or not compressed at all.
    """
    packed = data.startswith(_GZIP_MAGIC)
    if not packed and encoding in PLAIN | {"gzip"}:
        return data, True
    windows = (zlib.MAX_WBITS | 16,) if packed else (zlib.MAX_WBITS, -zlib.MAX_WBITS)
    best = b""
    for window in windows:
        plain, whole = _inflated(data, window)
        if whole:
            return plain, True
        best = max(best, plain, key=len)
    return best, False


def _inflated(data: bytes, window: int) -> tuple[bytes, bool]:
    """The bytes decompressed before an error; several streams may follow each other."""
    plain = bytearray()
    unpacker = zlib.decompressobj(window)
    try:
        for at in range(0, len(data), _STEP):
            rest = data[at : at + _STEP]
            while rest:
                # The bound guards against decompression bombs.
                plain += unpacker.decompress(rest, MAX_BYTES - len(plain) + 1)
                if len(plain) > MAX_BYTES:
                    return bytes(plain[:MAX_BYTES]), False
                rest = unpacker.unused_data
                if unpacker.eof and rest:
                    unpacker = zlib.decompressobj(window)
    except zlib.error:
        return bytes(plain), False
    return bytes(plain), unpacker.eof
