"""Server-sent events: extracts event data and finds the end of an OpenAI stream. Sans-IO.

It reads a copy of the stream. Lines end with CR, LF or CRLF and nothing else (not U+2028), as in
the HTML standard's event stream format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_DONE = re.compile(rb"(?:^|[\r\n])data: ?\[DONE\]")
_OVERLAP = len(b"\ndata: [DONE]") - 1
_LAST_RESPONSE_EVENT = re.compile(
    rb'(?:[\r\n]event: ?|"type" ?: ?")response\.(?:completed|incomplete|failed)["\r\n]'
)
_LAST_RESPONSE_OVERLAP = len(b'"type" : "response.incomplete"') - 1
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


class ResponseEndDetector:
    """Finds the end of the last event of a Responses stream, independent of the chunks.

    The last event is ``response.completed`` or another event with the whole response, with its
    empty line, or ``data: [DONE]``. A model's text cannot imitate it: quotes and line ends are
    escaped in JSON.
    """

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
        self._tail = window[max(at, len(window) - _LAST_RESPONSE_OVERLAP) :]
        return ended

    def _next(self, window: bytes, at: int) -> re.Match[bytes] | None:
        if self._ending:
            return _EMPTY_LINE.search(window, at)
        # Few deltas contain these, and the search is far faster than a failing regex.
        if b"complete" in window or b"response.failed" in window:
            return _LAST_RESPONSE_EVENT.search(window, at)
        return None
