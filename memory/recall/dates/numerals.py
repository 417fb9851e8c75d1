"""Classifies a word of digits: a date, a count, a possible year, or another number."""

from __future__ import annotations

import re
from typing import Any

from .spans import Span, day, months

FIRST_YEAR, LAST_YEAR = 1900, 2100
_ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_ISO_MONTH = re.compile(r"(\d{4})-(\d{2})")
_DAY_MONTH = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})|(\d{1,2})/(\d{1,2})/(\d{2})")
_RANGE = re.compile(r"(\d{1,2})-(\d{1,2})|(\d{4})-(\d{4})")
_ORDINAL = frozenset(("st", "nd", "rd", "th", "er", "ère", "re", "ème", "eme", "e", "o", "a"))
_DECADE = frozenset(("s", "er", "ern"))
_GLUED_BEFORE = frozenset("$€£¥₹#@_+-./:=&\\%*^~<>[{|")
_GLUED_AFTER = frozenset("$€£¥₹%°_+-/=&\\*^~<>]}|@")
_PIVOT = 70
"""Two digits from this value on are years of the 20th century (POSIX strptime %y uses 69)."""

Symbols = list[tuple[str, Any]]
_OTHER: Symbols = [("#", None)]


def classify(
    digits: str, suffix: str, before: str, after: str, *, day_first: bool, after_part: bool
) -> Symbols:
    """The symbols of `digits` followed by the letters `suffix`.

    `before` and `after` are the adjacent characters. `day_first`: whether 05/07 can only be the
    fifth of July in the language. `after_part`: whether "mid", "early" or "late" precedes.
    """
    glued = before.isalnum() or (before in _GLUED_BEFORE and not (before == "-" and after_part))
    if glued or after in _GLUED_AFTER:
        return _OTHER
    if suffix:
        return _with_letters(digits, suffix.lower())
    if digits.isdecimal():
        return _plain(digits)
    return _composed(digits, day_first=day_first)


def _plain(digits: str) -> Symbols:
    number = int(digits[:5])
    if len(digits) > 4:  # noqa: PLR2004 - counts and years have four digits at most
        return _OTHER
    if len(digits) == 4 and FIRST_YEAR <= number <= LAST_YEAR:  # noqa: PLR2004
        return [("y", number)]
    return [("n", number)]


def _with_letters(digits: str, suffix: str) -> Symbols:
    if suffix == "t":  # 2023-05-07T10:00
        return _composed(digits, day_first=True)
    if not digits.isdecimal() or len(digits) > 4:  # noqa: PLR2004
        return _OTHER
    number = int(digits)
    if suffix in _DECADE and number % 10 == 0:
        if FIRST_YEAR <= number <= LAST_YEAR:
            return [("C", number)]
        if len(digits) == 2:  # noqa: PLR2004
            return [("K", number + (2000 if number < 30 else 1900))]  # noqa: PLR2004
    return [("o", number)] if suffix in _ORDINAL else _OTHER


def _composed(digits: str, *, day_first: bool) -> Symbols:
    if match := _ISO.fullmatch(digits):
        return _dates([day(int(match[1]), int(match[3]), int(match[4]))])
    if match := _ISO_MONTH.fullmatch(digits):
        year, month = int(match[1]), int(match[2])
        if FIRST_YEAR <= year <= LAST_YEAR and 1 <= month <= 12:  # noqa: PLR2004
            return [("D", [months(year * 12 + month - 1)])]
    if match := _DAY_MONTH.fullmatch(digits):
        return _written_short(match, day_first=day_first or match[2] == ".")
    if match := _RANGE.fullmatch(digits):
        return [*_plain(match[1] or match[3]), ("~", None), *_plain(match[2] or match[4])]
    return _OTHER


def _written_short(match: re.Match[str], *, day_first: bool) -> Symbols:
    first, second, year = (
        (int(match[1]), int(match[3]), int(match[4]))
        if match[4]
        else (int(match[5]), int(match[6]), _century(int(match[7])))
    )
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return _OTHER
    readings = [day(year, second, first)]
    if first != second and (not day_first or readings[0] is None):
        readings.insert(0, day(year, first, second))
    return _dates(readings)


def _century(two_digits: int) -> int:
    return two_digits + (1900 if two_digits >= _PIVOT else 2000)


def _dates(readings: list[Span | None]) -> Symbols:
    found = [span for span in readings if span]
    return [("D", found)] if found else _OTHER
