"""Dates and numbers with the signs and figures of a language: 2023年5月7日, 二十三, 2023년 5월."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..sections import Calendar
from .kinds import KINDS, Entry
from .numerals import FIRST_YEAR, LAST_YEAR, MONTHS_A_YEAR, OTHER
from .spans import day, months

_MOST_FIGURES = 3
_TEN = 10
_NEVER = "(?!)"


class Figures:
    """How one calendar writes them; `pattern` has named groups and matches none of most texts."""

    def __init__(self, calendar: Calendar) -> None:
        self._values = {sign: n for n, row in enumerate(calendar.figures) for sign in row}
        signs = "".join(map(re.escape, self._values))
        self.pattern = _NEVER
        if calendar.signs:
            year, month, of_day = ("|".join(map(re.escape, row)) for row in calendar.signs)
            weekdays = {word[1] for row in calendar.weekdays for word in row if len(word) > 1}
            number = rf"(?:\d{{1,2}}|[{signs}]{{1,3}})" if signs else r"\d{1,2}"
            years = rf"\d{{4}}|[{signs}]{{4}}" if signs else r"\d{4}"
            self.pattern = (
                rf"(?P<year>{years})\s*(?:{year})"
                rf"(?:\s*(?P<month>{number})\s*(?:{month})"
                rf"(?:\s*(?P<day>{number})\s*(?:{of_day}))?)?"
                rf"|(?P<m>{number})\s*(?:{month})(?![{re.escape(''.join(weekdays)) or ' '}])"
                rf"(?:\s*(?P<d>{number})\s*(?:{of_day}))?"
            )

    def number(self, words: Sequence[str], place: int) -> tuple[int, Entry] | None:
        """The number that begins at a word: how many words it has, and what it means."""
        taken = 0
        while (
            taken < _MOST_FIGURES
            and place + taken < len(words)
            and (self._values.get(words[place + taken], 0))
        ):
            taken += 1
        if not taken:
            return None
        return taken, ((KINDS["number"], self._value("".join(words[place : place + taken]))),)

    def date(self, match: re.Match[str]) -> Entry:
        """2023年, 2023年5月, 2023年5月7日, 5月, 5月7日."""
        month = self._value(match["month"] or match["m"] or "1")
        if not 1 <= month <= MONTHS_A_YEAR:
            return OTHER
        if match["m"]:
            entry: Entry = ((KINDS["sure_month"], month),)
            return (*entry, (KINDS["ordinal"], self._value(match["d"]))) if match["d"] else entry
        year = self._year(match["year"])
        if not FIRST_YEAR <= year <= LAST_YEAR:
            return OTHER
        if match["month"] is None:
            return ((KINDS["sure_year"], year),)
        if match["day"] is None:
            return ((KINDS["date"], [months(year * MONTHS_A_YEAR + month - 1)]),)
        span = day(year, month, self._value(match["day"]))
        return ((KINDS["date"], [span]),) if span else OTHER

    def _year(self, text: str) -> int:
        return int("".join(str(self._values.get(sign, sign)) for sign in text)[:4])

    def _value(self, text: str) -> int:
        """A number of up to two digits, or in figures (二十三)."""
        if text.isdecimal():
            return int(text)
        values = [self._values[sign] for sign in text]
        if _TEN not in values:
            return values[0]
        ten = values.index(_TEN)
        return (values[ten - 1] if ten else 1) * _TEN + sum(values[ten + 1 : ten + 2])
