"""Cutting pieces out of a text. Pure; what is not cut stays byte for byte."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

MAX_LINE = 4000
"""Characters looked back for the beginning of a line, so that one endless line costs no more."""


class Piece(NamedTuple):
    """A piece of a text, by offsets."""

    start: int
    end: int


class Cut(NamedTuple):
    """A text without what was cut out of it, and how many pieces that were."""

    text: str
    pieces: int


def cut(text: str, spans: Iterable[Piece]) -> Cut:
    """The text without these pieces, which are in order; where they overlap both go."""
    kept, at, pieces = [], 0, 0
    for start, end in spans:
        if end > at:
            kept.append(text[at : max(start, at)])
            at, pieces = end, pieces + 1
    return Cut("".join(kept) + text[at:], pieces) if pieces else Cut(text, 0)


class Closing:
    """The closing ones among some tags, for who goes through all of them in order."""

    def __init__(
        self, tags: Iterable[re.Match[str]], key: Callable[[re.Match[str]], object]
    ) -> None:
        """`key` is the same for the two tags of a pair."""
        self._key = key
        self._waiting: dict[object, list[re.Match[str]]] = {}
        for tag in reversed(list(tags)):
            if tag["close"]:
                self._waiting.setdefault(key(tag), []).append(tag)

    def of(self, tag: re.Match[str]) -> re.Match[str] | None:
        """The first that begins where this one does or later; earlier ones are not needed again."""
        waiting = self._waiting.get(self._key(tag), [])
        while waiting and waiting[-1].start() < tag.start():
            waiting.pop()
        return waiting[-1] if waiting else None


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
