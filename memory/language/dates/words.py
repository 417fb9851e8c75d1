"""What single words of the calendar mean: months, weekdays and numbers, by their folded form."""

from __future__ import annotations

from collections.abc import Mapping

from ..fields import Rows
from ..registry import from_packs, packs
from ..words import folded_word

_Values = Mapping[str, Mapping[str, int]]


@from_packs
def _months() -> _Values:
    return {
        code: _values(1, pack.calendar.months, pack.calendar.weak_months)
        for code, pack in packs().items()
    }


@from_packs
def _weekdays() -> _Values:
    return {
        code: _values(0, pack.calendar.weekdays, pack.calendar.weak_weekdays)
        for code, pack in packs().items()
    }


@from_packs
def spelled_numbers() -> Mapping[str, int]:
    """Numbers from two on that are one word or character in a language, folded."""
    found: dict[str, int] = {}
    for pack in packs().values():
        calendar = pack.calendar
        found |= _values(2, calendar.numbers) | _values(0, calendar.figures)
        found |= {word: 10 * ten for word, ten in _values(3, calendar.tens).items()}
    return {word: number for word, number in found.items() if " " not in word}


def month_of(word: str, language: str) -> int | None:
    """The month (1 to 12) that a word is in a language."""
    return _months().get(language, {}).get(folded_word(word))


def weekday_of(word: str, language: str) -> int | None:
    """The weekday (0 is Monday) that a word is in a language."""
    return _weekdays().get(language, {}).get(folded_word(word))


def _values(first: int, *tables: Rows) -> dict[str, int]:
    return {
        " ".join(map(folded_word, term.split())): value
        for rows in tables
        for value, terms in enumerate(rows, first)
        for term in terms
    }
