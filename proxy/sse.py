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
