"""Yearly times (months, quarters) and the choice of an occurrence."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from .spans import Span, day, months

Yearly = Callable[[int], Span | None]
"""The occurrence in a year, or None."""

_YEARS_TRIED = 9
"""29 February is missing for at most eight years."""


def month(number: int) -> Yearly:
    """A month, 1 to 12."""
    return lambda year: months(year * 12 + number - 1)


def month_day(month: int, number: int) -> Yearly:
    """A day of a month."""
    return lambda year: day(year, month, number)


def quarter(number: int) -> Yearly:
    """A quarter of the year, 1 to 4."""
    return lambda year: months(year * 12 + 3 * (number - 1), 3)


def latest(now: datetime, yearly: Yearly) -> Span | None:
    """The occurrence with the latest start up to `now`."""
    return _nearest(now, yearly, -1, lambda span: span[0] <= now)


def last(now: datetime, yearly: Yearly) -> Span | None:
    """The occurrence with the latest end up to `now`."""
    return _nearest(now, yearly, -1, lambda span: span[1] <= now)


def coming(now: datetime, yearly: Yearly) -> Span | None:
    """The next occurrence that starts after `now`."""
    return _nearest(now, yearly, 1, lambda span: span[0] > now)


def _nearest(now: datetime, yearly: Yearly, step: int, fits: Callable[[Span], bool]) -> Span | None:
    found = (of_year(yearly, now.year + step * away) for away in range(_YEARS_TRIED))
    return next((span for span in found if span and fits(span)), None)


def of_year(yearly: Yearly, year: int) -> Span | None:
    """The occurrence in a year; None for years that are not supported."""
    return yearly(year) if 2 <= year <= 9997 else None  # noqa: PLR2004


def by_offset(now: datetime, yearly: Yearly, offset: int) -> Span | None:
    """The last occurrence (-1; -2 is the one before), this year's (0) or the next one (1)."""
    if offset == 0:
        return of_year(yearly, now.year)
    span = last(now, yearly) if offset < 0 else coming(now, yearly)
    steps = abs(offset) - 1
    if span is None or not steps:
        return span
    return of_year(yearly, span[0].year + (-steps if offset < 0 else steps))
