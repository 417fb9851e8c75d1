"""Calendar arithmetic over local times without a zone, clipped to the years 2 to 9998.

The first and last year of the calendar are left out, so that a result is valid in any zone.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta

Span = tuple[datetime, datetime]
"""Start (inclusive) and end (exclusive)."""

FIRST, LAST = datetime(2, 1, 1), datetime(9998, 12, 31)  # noqa: DTZ001 - local by intent
_FIRST_DAY, _LAST_DAY = FIRST.toordinal(), LAST.toordinal()
_SATURDAY = 5
_MONTHS_OF = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
_SECONDS_OF = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
_APPROXIMATE_DAYS = {"month": 30, "quarter": 91, "year": 365, "decade": 3652, "weekend": 7}


def some(span: Span | None) -> list[Span]:
    """The span in a list, or an empty list."""
    return [span] if span else []


def clip(moment: datetime) -> datetime:
    """The nearest supported time."""
    return min(max(moment, FIRST), LAST)


def days(first: int, count: int = 1) -> Span:
    """`count` days from the one with the ordinal `first`."""
    start = min(max(first, _FIRST_DAY), _LAST_DAY - 1)
    end = min(max(first + count, start + 1), _LAST_DAY)
    return datetime.fromordinal(start), datetime.fromordinal(end)


def months(first: int, count: int = 1) -> Span:
    """`count` months from month `first`, which is year * 12 + month - 1."""
    start = min(max(first, 24), 9997 * 12)
    end = min(max(first + count, start + 1), 9998 * 12)
    return _month_start(start), _month_start(end)


def _month_start(index: int) -> datetime:
    return datetime(index // 12, index % 12 + 1, 1)  # noqa: DTZ001


def month_index(moment: datetime) -> int:
    """The number `months` takes."""
    return moment.year * 12 + moment.month - 1


def day(year: int, month: int, number: int) -> Span | None:
    """The given day, or None if it does not exist."""
    try:
        return days(date(year, month, number).toordinal())
    except ValueError:
        return None


def unit(now: datetime, name: str, offset: int) -> Span | None:
    """The calendar unit `offset` units from the current one; weeks begin on Monday."""
    today = now.toordinal()
    if name == "day":
        return days(today + offset)
    monday = today - now.weekday() + 7 * offset
    if name == "week":
        return days(monday, 7)
    if name == "weekend":
        return days(monday + _SATURDAY, 2)
    size = _MONTHS_OF.get(name)
    if size is None:
        return None
    return months((month_index(now) // size + offset) * size, size)


def shift(now: datetime, name: str, count: int) -> datetime:
    """The time `count` units from `now`; a day missing in the target month becomes its last day."""
    if name in _MONTHS_OF:
        first, following = months(month_index(now) + count * _MONTHS_OF[name])
        last = (following - first).days
        return clip(datetime.combine(first.replace(day=min(now.day, last)), now.time()))
    seconds = _SECONDS_OF.get(name, 7 * 86_400) * count
    whole, rest = divmod(seconds, 86_400)
    target = min(max(now.toordinal() + whole, _FIRST_DAY), _LAST_DAY - 1)
    moved = datetime.combine(date.fromordinal(target), now.time())
    return clip(moved + timedelta(seconds=rest))


def around(now: datetime, name: str, count: int) -> Span:
    """The span of "`count` units ago" (negative): one unit wide, around the exact time.

    Days are whole days; shorter units are not rounded.
    """
    centre = shift(now, name, count)
    if name in ("second", "minute", "hour"):
        half = timedelta(seconds=_SECONDS_OF[name] / 2)
        return centre - half, centre + half
    if name == "day":
        return days(centre.toordinal())
    width = 7 if name == "week" else _APPROXIMATE_DAYS[name]
    return days(centre.toordinal() - width // 2, width)


def rolling(now: datetime, name: str, count: int) -> Span:
    """The last (negative) or next `count` units, today included."""
    today = now.toordinal()
    other = shift(now, name, count).toordinal()
    if count < 0:
        return days(other, today - other + 1)
    return days(today, other - today + 1)


def weekday(now: datetime, number: int, offset: int) -> Span:
    """The last such day before today (-1), the next one after today (1), or this week's (0)."""
    today = now.toordinal()
    distance = (number - now.weekday()) % 7
    if offset < 0:
        return days(today + distance - 7 * -offset if distance else today + 7 * offset)
    if offset > 0:
        return days(today + (distance or 7) + 7 * (offset - 1))
    return days(today - now.weekday() + number)


def hours(first: datetime, begin: int, end: int) -> Span:
    """From `begin` to `end` o'clock on the day of `first`; 30 is 6 o'clock on the next day."""
    midnight = datetime.combine(first.date(), time())
    return clip(midnight + timedelta(hours=begin)), clip(midnight + timedelta(hours=end))


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
