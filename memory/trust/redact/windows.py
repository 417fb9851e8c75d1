"""Long texts are searched a window at a time: a pattern holds the interpreter while it searches.

A megabyte of prose in one search kept the event loop waiting for 135 ms
(`benchmarks/flood/run.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

PIECE = 128 * 1024
"""Characters of a piece; a search of one takes at most about 20 ms."""
MARGIN = 20_000
"""Characters that are read on both sides of a piece: more than the longest key block has."""


class Window(NamedTuple):
    """What is read, `start` to `stop`, and the piece whose findings count, `begin` to `end`."""

    start: int
    begin: int
    end: int
    stop: int


def windows(length: int, piece: int = PIECE, margin: int = MARGIN) -> Iterator[Window]:
    """The windows of a text of `length` characters; a text of one piece and margin is one."""
    if length <= piece + margin:
        yield Window(0, 0, length, length)
        return
    for begin in range(0, length, piece):
        end = min(length, begin + piece)
        yield Window(max(0, begin - margin), begin, end, min(length, end + margin))
