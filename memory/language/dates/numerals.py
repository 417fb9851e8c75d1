"""Tells what a word of digits is: a date, a count, a possible year, or another number."""

from __future__ import annotations

import re

from ..sections import Calendar
from ..words import is_unspaced
from .kinds import KINDS, Entry, kind_of
from .spans import Span, day, months

FIRST_YEAR, LAST_YEAR, MONTHS_A_YEAR = 1900, 2100, 12
_ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_ISO_MONTH = re.compile(r"(\d{4})-(\d{2})")
_DAY_MONTH = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})|(\d{1,2})/(\d{1,2})/(\d{2})")
_RANGE = re.compile(r"(\d{1,2})-(\d{1,2})|(\d{4})-(\d{4})")
_GLUED_BEFORE = frozenset("$€£¥₹#@_+-./:=&\\%*^~<>[{|")
_GLUED_AFTER = frozenset("$€£¥₹%°_+-/=&\\*^~<>]}|@")
_YEAR_DIGITS = 4
_TIME_MARK = "t"
"""Between date and time: 2023-05-07T10:00."""
_PIVOT = 70
"""Two digits from this value on are years of the 20th century (POSIX strptime %y uses 69)."""
_DECADES_FROM = 30
"""The 20s are those of this century, the 30s those of the last one."""

OTHER: Entry = ((KINDS["figure"], None),)


def classify(match: re.Match[str], calendar: Calendar) -> Entry:
    """What the `digits` of a match and the `letters` behind them are in their text."""
    digits, letters, text = match["digits"], match["letters"].lower(), match.string
    before, after = text[: match.start()][-1:], text[match.end() : match.end() + 1]
    glued = (before.isalnum() and not is_unspaced(before)) or before in _GLUED_BEFORE
    if (before and glued) or (after and after in _GLUED_AFTER):
        return OTHER
    if letters == _TIME_MARK:
        return _composed(digits, month_first=False)
    if letters:
        return _with_letters(digits, letters, calendar)
    return _plain(digits) if digits.isdecimal() else _composed(digits, calendar.month_first)


def _plain(digits: str) -> Entry:
    if len(digits) > _YEAR_DIGITS:
        return OTHER
    number = int(digits)
    if len(digits) == _YEAR_DIGITS and FIRST_YEAR <= number <= LAST_YEAR:
        return ((KINDS["maybe_year"], number),)
    return ((KINDS["number"], number),)


def _with_letters(digits: str, letters: str, calendar: Calendar) -> Entry:
    if not digits.isdecimal() or len(digits) > _YEAR_DIGITS:
        return OTHER
    number = int(digits)
    if letters in calendar.decade_endings and number % 10 == 0:
        if FIRST_YEAR <= number <= LAST_YEAR:
            return ((KINDS["decade"], number),)
        if len(digits) == 2:  # noqa: PLR2004 - the 90s
            return ((KINDS["short_decade"], number + (2000 if number < _DECADES_FROM else 1900)),)
    if letters in calendar.ordinal_endings:
        return ((KINDS["ordinal"], number),)
    units = (name for name, words in calendar.units.items() if letters in words)
    unit = next(units, None)  # 10min, 2주
    return ((KINDS["number"], number), (KINDS[kind_of(unit)], unit)) if unit else OTHER


def _composed(digits: str, month_first: bool) -> Entry:
    if match := _ISO.fullmatch(digits):
        return _dates([day(int(match[1]), int(match[3]), int(match[4]))])
    if match := _ISO_MONTH.fullmatch(digits):
        year, month = int(match[1]), int(match[2])
        if FIRST_YEAR <= year <= LAST_YEAR and 1 <= month <= MONTHS_A_YEAR:
            return ((KINDS["date"], [months(year * MONTHS_A_YEAR + month - 1)]),)
    if match := _DAY_MONTH.fullmatch(digits):
        return _written_short(match, month_first=month_first and match[2] != ".")
    if match := _RANGE.fullmatch(digits):
        first, last = match[1] or match[3], match[2] or match[4]
        return (*_plain(first), (KINDS["to"], None), *_plain(last))
    return OTHER


def _written_short(match: re.Match[str], *, month_first: bool) -> Entry:
    """7.5.2023 and 7/5/23; both readings where the month may be first."""
    first, second, year = int(match[1] or match[5]), int(match[3] or match[6]), match[4]
    year = int(year) if year else int(match[7]) + (1900 if int(match[7]) >= _PIVOT else 2000)
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return OTHER
    readings = [day(year, second, first)]
    if first != second and (month_first or readings[0] is None):
        readings.insert(0, day(year, first, second))
    return _dates(readings)


def _dates(readings: list[Span | None]) -> Entry:
    found = [span for span in readings if span]
    return ((KINDS["date"], found),) if found else OTHER
