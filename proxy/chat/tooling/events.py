"""Splits a stream into events that can be passed on as they came. Sans-IO."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from recollect.memory.util.untrusted_json import json_object

from ...dialects.sse import event_data

_END = re.compile(rb"\r\n\r\n|\n\n|\r\r|\n\r\n")
DONE = b"[DONE]"
MAX_EVENT_BYTES = 8 * 2**20
"""A longer event is passed on in pieces that nobody reads."""


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One event of a stream."""

    raw: bytes
    """Its bytes, with the empty line that ends it."""
    data: bytes

    @property
    def is_done(self) -> bool:
        """Whether it is the mark at the end."""
        return self.data.strip() == DONE

    def value(self) -> dict[str, Any]:
        """Its JSON object; empty if it has none."""
        return json_object(self.data) or {}


class EventSplitter:
    """Gathers chunks into whole events."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> Iterator[StreamEvent]:
        """The events that end with this chunk."""
        self._rest += chunk
        at = 0
        while (end := _END.search(self._rest, at)) is not None:
            yield _event(self._rest[at : end.end()])
            at = end.end()
        self._rest = self._rest[at:]
        if len(self._rest) > MAX_EVENT_BYTES:
            yield StreamEvent(self._rest, b"")
            self._rest = b""

    def end(self) -> Iterator[StreamEvent]:
        """What is left at the end: some servers omit the last empty line."""
        if self._rest.strip():
            yield _event(self._rest)
        self._rest = b""


def _event(raw: bytes) -> StreamEvent:
    return StreamEvent(raw, b"\n".join(event_data(raw + b"\n\n")))


def written(value: Mapping[str, Any], *, name: str = "") -> bytes:
    """An event with this JSON object, of this name if it has one."""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    return (f"event: {name}\n".encode() if name else b"") + b"data: " + data + b"\n\n"
