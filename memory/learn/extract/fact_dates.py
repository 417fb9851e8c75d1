"""The dates of a fact and those of what was said, counted from the day of the turn. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import regex

from ...language.dates import periods
from ...language.scanner import says

_DAY, _WEEK = timedelta(days=1), timedelta(days=7)
_LONGEST_MONTH, _LONGEST_YEAR = 31, 366
_ISO = regex.compile(r"(?<!\d)([0-9]{4})-([0-9]{2})(?:-([0-9]{2}))?(?!\d)")
_YEAR = regex.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")
WEEKDAYS = frozenset(("weekday", "which", "day_of_week"))
"""The rules of `language.dates` that read a weekday."""
_YEARS = (1900, 2200)
"""Years outside this range are not computed with."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A time in a text, as words and as days (`last` inclusive)."""

    words: str
    first: date
    last: date
    moves: bool = False
    """It is counted from the day of the turn: "yesterday", "next Friday"."""
    weekday: bool = False
    """It is a day of a week, which people count differently."""

    @property
    def days(self) -> int:
        """How many days it has."""
        return (self.last - self.first).days + 1

    def may_be(self, other: Dated) -> bool:
        """Whether `other`, as it was said, may mean this time.

        A date without a year may be that of any year, a weekday that of the week before or after.
        """
        if self.first <= other.last and other.first <= self.last:
            return True
        apart = abs(self.first - other.first)
        if other.weekday and other.days == 1:
            return not apart % _WEEK and apart <= 2 * _WEEK
        yearly = not other.moves and not _YEAR.search(other.words)
        return yearly and (self.first.month, self.first.day) == (other.first.month, other.first.day)


def dates_in(text: str, at: datetime) -> list[Dated]:
    """The times that a text names: the first ones, and all days in ISO 8601."""
    found = {
        match[0]: Dated(match[0], *days)
        for match in _ISO.finditer(text[:2000])
        if (days := _iso(match))
    }
    if _YEARS[0] < at.year < _YEARS[1]:
        # In UTC: a day of the user's has no hour that daylight saving skips.
        for one in periods(text, datetime(at.year, at.month, at.day, 12, tzinfo=UTC)):
            last = (one.end - timedelta(seconds=1)).date()
            found.setdefault(
                one.text,
                Dated(one.text, one.start.date(), last, one.is_counted, one.rule in WEEKDAYS),
            )
    return list(found.values())


def written_out(text: str, at: datetime) -> str:
    """The fact with the days that it counts from the turn written out behind their words.

    "tomorrow" becomes "tomorrow (2026-03-03)", "last month" "last month (2026-02)"; what is no
    exact day, month or year gets the day on which it was said.
    """
    for one in dates_in(text, at):
        when = _named(one, text, at) if one.moves or one.weekday else ""
        if when and when not in text and text.count(one.words) == 1:
            text = text.replace(one.words, f"{one.words} ({when})")
    return text


def corrected(text: str, quote: str, at: datetime) -> str:
    """The fact with its one date counted from the day of the turn: models count from today.

    Only if the quote names no other time than one day that is counted ("tomorrow").
    """
    said = dates_in(quote, at)
    stated = [match[0] for match in _ISO.finditer(text) if match[3]]
    if len(said) == len(stated) == 1 and said[0].moves and said[0].days == 1:
        return text.replace(stated[0], said[0].first.isoformat())
    return text


def _named(one: Dated, text: str, at: datetime) -> str:
    said = f"said on {at:%Y-%m-%d}"
    if one.days == 1 and one.moves:
        # "ran three races in 3 days" counts no day ahead.
        ahead = one.first > at.date() and any(sign.isdigit() for sign in one.words)
        return said if ahead and says(text, "changes.past") else one.first.isoformat()
    if one.first.day == 1 and 28 <= one.days <= _LONGEST_MONTH and _is_whole(one):  # noqa: PLR2004
        return f"{one.first:%Y-%m}"
    if (one.first.month, one.first.day, one.last.month, one.last.day) == (1, 1, 12, 31):
        return f"{one.first:%Y}" if one.days <= _LONGEST_YEAR else said
    return said


def _is_whole(one: Dated) -> bool:
    return (one.last + _DAY).day == 1


def _iso(match: regex.Match[str]) -> tuple[date, date] | None:
    year, month, day = int(match[1]), int(match[2]), int(match[3] or 1)
    try:
        first = date(year, month, day)
    except ValueError:
        return None
    return first, first if match[3] else first + timedelta(days=27)
