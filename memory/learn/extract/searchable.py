"""Finds quotes in a text, ignoring case, blanks and punctuation. Pure.

Text and quote are reduced to case-folded letters and digits in NFKC. A match begins and ends at
word boundaries.
"""

from __future__ import annotations

import unicodedata

import regex

from ...language.scripts import HANGUL, UNSPACED

_TRIES = 50
"""Most matches that are checked for word boundaries."""

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_UNBROKEN = regex.compile(f"[{UNSPACED}{HANGUL}]")
_ELLIPSIS = regex.compile(r"\[?\(?(?:\.{2,}|\u2026)\)?\]?")
_LABEL = regex.compile(r"\s*+[\p{L}\p{M}\d ]{1,20}+[:\uff1a]\s*+")
"""How a quote begins that has the label of our transcript, in whatever language: "user:"."""

Span = tuple[int, int]
"""Offsets in a text, the end exclusive."""


def plain(text: str) -> str:
    """The case-folded letters and digits of a text."""
    return "".join(_folded(word) for word in _WORD.findall(text))


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


class Searchable:
    """A text to find quotes in; the constructor takes linear time."""

    def __init__(self, text: str) -> None:
        self._starts: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        parts: list[str] = []
        size = 0
        for begin, end in _atoms(text):
            folded = _folded(text[begin:end])
            self._starts[size] = begin
            size += len(folded)
            self._ends[size] = end
            parts.append(folded)
        self._plain = "".join(parts)

    def find(self, quote: str) -> list[Span]:
        """The places of the quote's pieces between ellipses, in order; none if one is not there."""
        return self._pieces(quote) or self._pieces(_LABEL.sub("", quote, count=1))

    def _pieces(self, quote: str) -> list[Span]:
        found: list[Span] = []
        start = 0
        for piece in filter(None, map(plain, _ELLIPSIS.split(quote))):
            place = self._find(piece, start)
            if place is None:
                return []
            start = place[1]
            found.append((self._starts[place[0]], self._ends[start]))
        return found

    def _find(self, piece: str, start: int) -> Span | None:
        for _ in range(_TRIES):
            at = self._plain.find(piece, start)
            if at < 0:
                return None
            if at in self._starts and at + len(piece) in self._ends:
                return at, at + len(piece)
            start = at + 1
        return None


def _atoms(text: str) -> list[Span]:
    """Offsets of words, or of characters in scripts without blanks."""
    atoms: list[Span] = []
    for word in _WORD.finditer(text):
        if word[0].isascii() or not _UNBROKEN.search(word[0]):
            atoms.append(word.span())
        else:
            atoms += [(at, at + 1) for at in range(*word.span())]
    return atoms
