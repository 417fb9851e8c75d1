"""Numbers and dates in digits, in words, and with the signs of a language: 2023年5月7日, 二十三."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..registry import from_packs, packs
from ..sections import Calendar
from ..syntax import Rows
from ..words import folded_word, is_unspaced
from .kinds import KINDS, Entry, kind_of
from .spans import Span, day, months


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


_MOST_FIGURES = 3
_TEN = 10
_NEVER = "(?!)"


class Figures:
    """The figures of one calendar; `pattern` has named groups and matches none of most texts."""

    def __init__(self, calendar: Calendar) -> None:
        self.values = {sign: n for n, row in enumerate(calendar.figures) for sign in row}
        """By figure; most calendars have none."""
        signs = "".join(map(re.escape, self.values))
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
            and (self.values.get(words[place + taken], 0))
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
        return int("".join(str(self.values.get(sign, sign)) for sign in text)[:4])

    def _value(self, text: str) -> int:
        """A number of up to two digits, or in figures (二十三)."""
        if text.isdecimal():
            return int(text)
        values = [self.values[sign] for sign in text]
        if _TEN not in values:
            return values[0]
        ten = values.index(_TEN)
        return (values[ten - 1] if ten else 1) * _TEN + sum(values[ten + 1 : ten + 2])
