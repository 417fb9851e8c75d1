"""Finds quotes in a text, ignoring case, blanks and punctuation. Pure.

Text and quote are reduced to case-folded letters and digits in NFKC. A match begins and ends at
word boundaries; every word must be the same.
"""

from __future__ import annotations

import unicodedata

import regex

from ...language.scripts import HANGUL, UNSPACED

MAX_SPAN = 1_000
"""Characters from start to end of a quote with an ellipsis."""
MIN_PIECE = 8
"""Least letters of the longest piece of such a quote: "I ... to" matches any text."""
_MIN_PIECE_UNSPACED = 3
_TRIES = 50
"""Most matches that are checked for word boundaries."""

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_UNBROKEN = regex.compile(f"[{UNSPACED}{HANGUL}]")
_ELLIPSIS = regex.compile(r"\[?\(?(?:\.{2,}|\u2026)\)?\]?")


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
        self.text = text
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

    def find(self, quote: str) -> tuple[int, int] | None:
        """The offsets of the quote in `text`, end exclusive."""
        pieces = [piece for piece in map(plain, _ELLIPSIS.split(quote)) if piece]
        if not pieces or (len(pieces) > 1 and not _tells(max(pieces, key=len))):
            return None
        found: list[tuple[int, int]] = []
        for piece in pieces:
            place = self._find(piece, found[-1][1] if found else 0)
            if place is None:
                return None
            found.append(place)
        if self._ends[found[-1][1]] - self._starts[found[0][0]] <= MAX_SPAN or len(found) == 1:
            return self._starts[found[0][0]], self._ends[found[-1][1]]
        longest = max(found, key=lambda place: place[1] - place[0])
        return self._starts[longest[0]], self._ends[longest[1]]

    def _find(self, piece: str, start: int) -> tuple[int, int] | None:
        for _ in range(_TRIES):
            at = self._plain.find(piece, start)
            if at < 0:
                return None
            if at in self._starts and at + len(piece) in self._ends:
                return at, at + len(piece)
            start = at + 1
        return None


def _atoms(text: str) -> list[tuple[int, int]]:
    """Offsets of words, or of characters in scripts without blanks."""
    atoms: list[tuple[int, int]] = []
    for word in _WORD.finditer(text):
        if word[0].isascii() or not _UNBROKEN.search(word[0]):
            atoms.append(word.span())
        else:
            atoms += [(at, at + 1) for at in range(*word.span())]
    return atoms


def _tells(piece: str) -> bool:
    return len(piece) >= (_MIN_PIECE_UNSPACED if _UNBROKEN.search(piece) else MIN_PIECE)
