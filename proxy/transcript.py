"""What the assistant said, from a copy of the answer's bytes. Sans-IO, and bounded."""

from __future__ import annotations

import json
import zlib
from typing import Any

from filters.exchange import Answer
from memory.messages import content_text

from .sse import DoneDetector, event_data

MAX_BYTES = 4 * 2**20
"""Kept of one answer; what comes after is not learned from."""

DECODABLE = frozenset({"gzip", "deflate", "identity", ""})
"""Content codings the standard library can read; no other is asked for on routes we read."""


class Transcript:
    """Collects an answer and reads it once, at the end."""

    def __init__(self, *, stream: bool, encoding: str = "") -> None:
        self._stream = stream
        self._encoding = encoding.strip().lower()
        self._chunks: list[bytes] = []
        self._size = 0
        self._done = DoneDetector() if stream and self._encoding in {"", "identity"} else None

    def feed(self, chunk: bytes) -> bool:
        """Take a chunk; True if it holds the end mark of a stream."""
        if self._size < MAX_BYTES:
            self._chunks.append(chunk)
            self._size += len(chunk)
        return self._done is not None and self._done.feed(chunk)

    @property
    def size(self) -> int:
        """Bytes kept so far: tells whether more came since it was last read."""
        return self._size

    def answer(self, *, complete: bool = True) -> Answer | None:
        """The first choice's message, or None if there is nothing of an answer in the bytes."""
        data = _decode(b"".join(self._chunks), self._encoding)
        values = event_data(data if complete else data + b"\n\n") if self._stream else iter([data])
        pieces = [piece for value in values if (piece := _piece(value)) is not None]
        if not pieces:
            return None
        return Answer(
            text="".join(text for text, _ in pieces),
            tool_calls=max(calls for _, calls in pieces),
            complete=complete and self._size < MAX_BYTES,
        )


def _piece(value: bytes) -> tuple[str, int] | None:
    """Text and number of tool calls of a completion or of one chunk of it."""
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return None
    choices = parsed.get("choices") if isinstance(parsed, dict) else None
    if not isinstance(choices, list):
        return None
    for choice in choices:
        if isinstance(choice, dict) and choice.get("index", 0) == 0:
            message = choice.get("message") or choice.get("delta")
            return _message(message) if isinstance(message, dict) else ("", 0)
    return None


def _message(message: dict[str, Any]) -> tuple[str, int]:
    calls = message.get("tool_calls")
    text = content_text(message.get("content")) or content_text(message.get("refusal"))
    return text, len(calls) if isinstance(calls, list) else 0


def _decode(data: bytes, encoding: str) -> bytes:
    """Undo the content coding as far as the bytes go: an answer may have been cut."""
    if encoding in {"", "identity"} or encoding not in DECODABLE:
        return data
    windows = (zlib.MAX_WBITS | 16,) if encoding == "gzip" else (zlib.MAX_WBITS, -zlib.MAX_WBITS)
    for window in windows:
        try:
            # The bound guards against a bomb: a copy for learning needs no more than the original.
            return zlib.decompressobj(window).decompress(data, MAX_BYTES)
        except zlib.error:
            continue
    return b""
