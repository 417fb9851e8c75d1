"""Cutting pieces out of a text. Pure; what is not cut stays byte for byte."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

MAX_LINE = 4000
"""Characters looked back for the beginning of a line, so that one endless line costs no more."""


class Span(NamedTuple):
    """A piece of a text, by offsets."""

    start: int
    end: int


class Cut(NamedTuple):
    """A text without what was cut out of it, and how many pieces that were."""

    text: str
    pieces: int


def cut(text: str, spans: Iterable[Span]) -> Cut:
    """The text without these pieces, which are in order; where they overlap both go."""
    kept, at, pieces = [], 0, 0
    for start, end in spans:
        if end > at:
            kept.append(text[at : max(start, at)])
            at, pieces = end, pieces + 1
    return Cut("".join(kept) + text[at:], pieces) if pieces else Cut(text, 0)


def line_start(text: str, at: int) -> int:
    """Where the line begins in which `at` is; of a very long one, some way back."""
    floor = max(0, at - MAX_LINE)
    return text.rfind("\n", floor, at) + 1 or floor


def line_end(text: str, at: int) -> int:
    """Where the line after that of `at` begins, or the text ends."""
    return text.find("\n", at) + 1 or len(text)


def over_newline(text: str, end: int) -> int:
    """One more if a line break follows."""
    return end + 1 if text.startswith("\n", end) else end
