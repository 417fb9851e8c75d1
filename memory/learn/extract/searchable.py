"""Finding quoted words in a text, whatever became of case, blanks and punctuation. Pure.

A text is reduced to its letters and digits, in NFKC and without case; a quote is found where its
own stand in it, from the beginning of a word to the end of one. Words are never forgiven.
"""

from __future__ import annotations

import unicodedata

import regex

from ...recall.text.scripts import HANGUL, UNSPACED

MAX_SPAN = 1_000
"""Characters from the beginning to the end of a quote whose middle was left out."""
MIN_PIECE = 8
"""Letters of the longest piece of such a quote: of "I ... to" every text has some."""
_MIN_PIECE_UNSPACED = 3
_TRIES = 50
"""Places looked at where the letters are right and the ends of words are not."""

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_UNBROKEN = regex.compile(f"[{UNSPACED}{HANGUL}]")
_ELLIPSIS = regex.compile(r"\[?\(?(?:\.{2,}|\u2026)\)?\]?")


def plain(text: str) -> str:
    """Its letters and digits only, without case."""
    return "".join(_folded(word) for word in _WORD.findall(text))


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


class Searchable:
    """A text to find quotes in; takes time linear in its length to make."""

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
        """Where the quote stands in `text`: from, and to (exclusive)."""
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
    """Words; in scripts without blanks between words, characters."""
    atoms: list[tuple[int, int]] = []
    for word in _WORD.finditer(text):
        if word[0].isascii() or not _UNBROKEN.search(word[0]):
            atoms.append(word.span())
        else:
            atoms += [(at, at + 1) for at in range(*word.span())]
    return atoms


def _tells(piece: str) -> bool:
    return len(piece) >= (_MIN_PIECE_UNSPACED if _UNBROKEN.search(piece) else MIN_PIECE)
