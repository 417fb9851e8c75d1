"""Cuts pieces and sentences out of a text and keeps the rest unchanged. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ...language.scanner import says
from ...language.words import sentences

MAX_LINE = 4000
"""Characters searched backwards for the start of a line: bounds the cost of endless lines."""


class Piece(NamedTuple):
    """A piece of a text, by offsets."""

    start: int
    end: int


class Cut(NamedTuple):
    """A text after a cut, and the number of pieces removed."""

    text: str
    pieces: int


def cut(text: str, spans: Iterable[Piece]) -> Cut:
    """The text without these pieces, which are in order and may overlap."""
    kept, at, pieces = [], 0, 0
    for start, end in spans:
        if end > at:
            kept.append(text[at : max(start, at)])
            at, pieces = end, pieces + 1
    return Cut("".join(kept) + text[at:], pieces) if pieces else Cut(text, 0)


class Closing:
    """The closing tags of a text, for a caller that visits the tags in order."""

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
        """The first closing tag at or after `tag`; earlier ones are dropped."""
        waiting = self._waiting.get(self._key(tag), [])
        while waiting and waiting[-1].start() < tag.start():
            waiting.pop()
        return waiting[-1] if waiting else None


def line_start(text: str, at: int) -> int:
    """The start of the line at `at`; of a very long line `MAX_LINE` characters back."""
    floor = max(0, at - MAX_LINE)
    return text.rfind("\n", floor, at) + 1 or floor


def line_end(text: str, at: int) -> int:
    """The start of the next line, or the end of the text."""
    return text.find("\n", at) + 1 or len(text)


def over_newline(text: str, end: int) -> int:
    """`end`, after a line break that follows."""
    return end + 1 if text.startswith("\n", end) else end


_WORDS = re.compile(r"\w+")
_MARK = re.compile(r"\s*+(?:>[\s>]*+|[-*•+]\s++|\d{1,3}[.)]\s++|[\"“„«「])")


def key(text: str) -> str:
    """The case-folded words, without punctuation."""
    return " ".join(_WORDS.findall(text.casefold()))


def is_marked(segment: str) -> bool:
    """Whether it is quoted or an item of a list."""
    return _MARK.match(segment) is not None


def first_person(text: str) -> bool:
    """Whether it is in the first person."""
    return says(text, "people.first_person")


def negated(text: str) -> bool:
    """Whether it denies or corrects something."""
    return says(text, "changes.negated", "turns.correction")


def drop(text: str, gone: Callable[[str], bool]) -> Cut:
    """The text without the segments for which `gone` is true."""
    parts = sentences(text)
    kept = [part for part in parts if not gone(part)]
    return Cut("".join(kept), len(parts) - len(kept)) if len(kept) < len(parts) else Cut(text, 0)
