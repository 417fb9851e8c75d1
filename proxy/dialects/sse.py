"""Server-sent events: extracts event data and finds the end of an OpenAI stream. Sans-IO.

It reads a copy of the stream. Lines end with CR, LF or CRLF and nothing else (not U+2028), as in
the HTML standard's event stream format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

_DONE = re.compile(rb"(?:^|[\r\n])data: ?\[DONE\]")
_OVERLAP = len(b"\ndata: [DONE]") - 1
_EMPTY_LINE = re.compile(rb"\n[\r\n]|\r\r")
"""A line end and the first byte of the next one: CRLF CR is enough to end an event."""


def event_data(stream: bytes) -> Iterator[bytes]:
    """The data of each complete event; several lines are joined by line feeds."""
    data: list[bytes] = []
    # Of bytes, `splitlines` knows these three ends only.
    lines = stream.splitlines()
    if not stream.endswith((b"\n", b"\r")):
        del lines[-1:]
    for line in lines:
        if not line:
            if data:
                yield b"\n".join(data)
            data = []
        elif line.startswith(b"data:"):
            value = line[5:]
            data.append(value[1:] if value.startswith(b" ") else value)


class DoneDetector:
    """Finds the line ``data: [DONE]`` in a stream, independent of the chunks.

    May be True too early, if a chunk begins in the middle of a line (see `EndDetector`).
    """

    def __init__(self) -> None:
        self._tail = b""

    def feed(self, chunk: bytes) -> bool:
        """Whether the line is complete with this chunk."""
        window = self._tail + chunk
        self._tail = window[-_OVERLAP:]
        return b"[DONE]" in window and _DONE.search(window) is not None


class _EventEndDetector:
    """Finds the end of the last event of a stream, independent of the chunks.

    A model's text cannot imitate it: quotes and line ends are escaped in JSON.
    """

    last: ClassVar[re.Pattern[bytes]]
    """The name of the last event, in its line or in its data."""
    hints: ClassVar[tuple[bytes, ...]]
    """One of these is in it: few deltas contain them, and that search is far faster."""
    overlap: ClassVar[int]

    def __init__(self) -> None:
        self._done = DoneDetector()
        self._tail = b"\n"
        self._ending = False

    def feed(self, chunk: bytes) -> bool:
        """Whether the event is complete with this chunk."""
        done = self._done.feed(chunk)
        return self._ends(self._tail + chunk) or done

    def _ends(self, window: bytes) -> bool:
        at, ended = 0, False
        while (match := self._next(window, at)) is not None:
            ended = ended or self._ending
            self._ending = not self._ending
            # The last byte of a match may be the first byte of the next one.
            at = match.end() - 1
        self._tail = window[max(at, len(window) - self.overlap) :]
        return ended

    def _next(self, window: bytes, at: int) -> re.Match[bytes] | None:
        if self._ending:
            return _EMPTY_LINE.search(window, at)
        if any(hint in window for hint in self.hints):
            return self.last.search(window, at)
        return None


class ResponseEndDetector(_EventEndDetector):
    """For the Responses API: ``response.completed`` or another event with the whole response."""

    last = re.compile(
        rb'(?:[\r\n]event: ?|"type" ?: ?")response\.(?:completed|incomplete|failed)["\r\n]'
    )
    hints = (b"complete", b"response.failed")
    overlap = len(b'"type" : "response.incomplete"') - 1


class MessageEndDetector(_EventEndDetector):
    """For the Messages API: ``message_stop``, or an error in place of the rest."""

    last = re.compile(rb'(?:[\r\n]event: ?|"type" ?: ?")(?:message_stop|error)["\r\n]')
    hints = (b"message_stop", b"error")
    overlap = len(b'"type" : "message_stop"') - 1
