"""Writes out days in a fact that are relative to a turn's date. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import regex

from ...language.dates import Period, periods, tells_time

MAX_APART_DAYS = 1100
"""Three years: the longest distance of a date that a model derives from a turn ("next summer")."""

_DAY = timedelta(days=1)
_ISO = regex.compile(r"(?<!\d)(\d{4})-(\d{2})(?:-(\d{2}))?(?!\d)")
_YEARS = (1900, 2200)
"""Years outside this range are not computed with."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A date in a text, as words and as days (`last` inclusive)."""

    words: str
    first: date
    last: date

    def is_near(self, at: datetime) -> bool:
        """Whether it is within `MAX_APART_DAYS` of `at`."""
        apart = timedelta(days=MAX_APART_DAYS)
        return self.first <= (at + apart).date() and (at - apart).date() <= self.last


def dates_in(text: str, at: datetime) -> list[Dated]:
    """The absolute dates in a text."""
    found = {
        match[0]: Dated(match[0], *days)
        for match in _ISO.finditer(text[:2000])
        if (days := _iso(match))
    }
    for here, later in _shifted(text, at):
        if here.start == later.start:
            last = (here.end - timedelta(seconds=1)).date()
            found.setdefault(here.text, Dated(here.text, here.start.date(), last))
    return list(found.values())


def relative_days(text: str, at: datetime) -> list[tuple[str, date]]:
    """Words that name a day by its distance from `at` ("yesterday", "in two days"), with the day.

    Weekdays are left out: they are ambiguous without the whole sentence.
    """
    return [
        (here.text, here.start.date())
        for here, later in _shifted(text, at)
        if later.start - here.start == _DAY and here.end - here.start <= _DAY
    ]


def written_out(text: str, quote: str, at: datetime) -> str:
    """The fact with its relative days written out and a wrongly computed date corrected.

    A relative day in the fact gets its date: "tomorrow (2026-03-03)". If the quote has one relative
    day and the fact one other date that is not in the quote, the date is replaced: models count
    from today instead of from the turn.
    """
    said = {day for _, day in relative_days(quote, at)}
    stated = [match[0] for match in _ISO.finditer(text) if match[3]]
    if len(said) == 1 and len(stated) == 1 and stated[0] not in quote:
        [day] = said
        text = text.replace(stated[0], day.isoformat())
    if not any(mark.isdigit() for dated in dates_in(text, at) for mark in dated.words):
        for words, day in relative_days(text, at):
            text = text.replace(words, f"{words} ({day.isoformat()})", 1)
    return text


def _shifted(text: str, at: datetime) -> list[tuple[Period, Period]]:
    """Each period in a text, computed for `at` and for the day after; relative ones differ."""
    if not (_YEARS[0] < at.year < _YEARS[1] and tells_time(text)):
        return []
    day = datetime(at.year, at.month, at.day, 12, tzinfo=UTC)
    here, later = periods(text, day), periods(text, day + _DAY)
    return list(zip(here, later, strict=True)) if len(here) == len(later) else []


def _iso(match: regex.Match[str]) -> tuple[date, date] | None:
    year, month, day = int(match[1]), int(match[2]), int(match[3] or 1)
    try:
        first = date(year, month, day)
    except ValueError:
        return None
    return first, first if match[3] else first + timedelta(days=27)
