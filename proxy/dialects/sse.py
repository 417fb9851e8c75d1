"""Server-sent events: bytes to event data, and the end of an OpenAI stream. Sans-IO.

Reads a copy; the bytes themselves go to the client as they came. Lines end with CR, LF or CRLF and
nothing else (not U+2028), per the HTML standard's event stream format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_LINE_END = re.compile(rb"\r\n|\n|\r")
_DONE = re.compile(rb"(?:^|[\r\n])data: ?\[DONE\]")
_OVERLAP = len(b"\ndata: [DONE]") - 1
_LAST_RESPONSE_EVENT = re.compile(
    rb'(?:[\r\n]event: ?|"type" ?: ?")response\.(?:completed|incomplete|failed)["\r\n]'
)
_LAST_RESPONSE_OVERLAP = len(b'"type" : "response.incomplete"') - 1
_EMPTY_LINE = re.compile(rb"\n[\r\n]|\r\r")
"""A line end and the first byte of the one after it: CRLF CR is enough to end an event."""


def event_data(stream: bytes) -> Iterator[bytes]:
    """The data of each complete event, joined by line feeds where it has several lines."""
    data: list[bytes] = []
    for line in _LINE_END.split(stream)[:-1]:
        if not line:
            if data:
                yield b"\n".join(data)
            data = []
        elif line.startswith(b"data:"):
            value = line[5:]
            data.append(value[1:] if value.startswith(b" ") else value)


class DoneDetector:
    """Finds the line ``data: [DONE]`` in a stream, however it is cut into chunks.

    May say yes too early, when a cut falls where a line only seems to begin: whoever acts on it
    must be able to act again at the true end.
    """

    def __init__(self) -> None:
        self._tail = b""

    def feed(self, chunk: bytes) -> bool:
        """Whether the line is complete with this chunk."""
        window = self._tail + chunk
        self._tail = window[-_OVERLAP:]
        return b"[DONE]" in window and _DONE.search(window) is not None


class ResponseEndDetector:
    """Finds the end of the event that ends a Responses stream, however it is cut into chunks.

    That is ``response.completed`` or another one with the whole response, empty line included, or
    ``data: [DONE]`` of servers that send it. Text of a model never looks like it: inside JSON,
    quotes and line ends are escaped.
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
            # The last byte of each may be the first one of the other.
            at = match.end() - 1
        self._tail = window[max(at, len(window) - _LAST_RESPONSE_OVERLAP) :]
        return ended

    def _next(self, window: bytes, at: int) -> re.Match[bytes] | None:
        if self._ending:
            return _EMPTY_LINE.search(window, at)
        # Hardly a delta contains these, and they are found far faster than the regex says no.
        if b"complete" in window or b"response.failed" in window:
            return _LAST_RESPONSE_EVENT.search(window, at)
        return None
