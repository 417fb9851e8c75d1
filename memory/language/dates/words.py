"""What single words of numbers mean, of all languages."""

from __future__ import annotations

from collections.abc import Mapping

from ..fields import Rows
from ..registry import from_packs, packs
from ..words import folded_word


@from_packs
def spelled_numbers() -> Mapping[str, int]:
    """Numbers that are one word or character in a language, by its folded form."""
    found: dict[str, int] = {}
    for pack in packs().values():
        calendar = pack.calendar
        found |= _values(2, calendar.numbers) | _values(0, calendar.figures)
        found |= {word: 10 * ten for word, ten in _values(3, calendar.tens).items()}
    return found


def number_words(language: str) -> Mapping[str, int]:
    """The same of one language, from two on: its words for one are articles too."""
    return _by_language().get(language, {})


@from_packs
def _by_language() -> Mapping[str, Mapping[str, int]]:
    return {
        code: _values(2, pack.calendar.numbers)
        | {word: 10 * ten for word, ten in _values(3, pack.calendar.tens).items()}
        for code, pack in packs().items()
    }


def _values(first: int, rows: Rows) -> dict[str, int]:
    return {
        folded_word(word): value
        for value, words in enumerate(rows, first)
        for word in words
        if " " not in word
    }
