"""Resolvers: calendar spans for the symbols that a rule matched, at a local time."""

from __future__ import annotations

from datetime import datetime, timedelta

from . import yearly as every
from .spans import Span, days, month_index, months, shift, some, unit, weekday
from .symbols import DatePiece
from .yearly import Yearly

_NEAR_YEARS = (1950, 5)
"""A number without a cue is a year from the first value up to this many years from now."""


def nothing(_piece: DatePiece, _now: datetime) -> list[Span]:
    """Not a time."""
    return []


def numeric(piece: DatePiece, _now: datetime) -> list[Span]:
    """2023-05-07."""
    readings: list[Span] = piece.get("D")
    return readings


def _year(piece: DatePiece, now: datetime) -> int | None:
    year: int | None = piece.get("yY")
    if year is None and "j" in piece.symbols:
        offset: int | None = piece.get("LXT")
        return None if offset is None else now.year + offset
    return year


def _yearly(piece: DatePiece) -> Yearly | None:
    """The named month, season, holiday or quarter."""
    for symbol, value in zip(piece.symbols, piece.values, strict=True):
        if symbol in "mMl":
            return every.month(value)
        if symbol in "Ss":
            return every.season(value)
        if symbol == "H":
            return every.holiday(value)
        if symbol == "Q":
            return every.quarter(value)
    return None


def _placed(recurring: Yearly, year: int | None, now: datetime) -> Span | None:
    return every.latest(now, recurring) if year is None else every.of_year(recurring, year)


def yearly(piece: DatePiece, now: datetime) -> list[Span]:
    """May 2023, the summer of last year."""
    recurring = _yearly(piece)
    return some(_placed(recurring, _year(piece, now), now)) if recurring else []


def latest(piece: DatePiece, now: datetime) -> list[Span]:
    """Monday, May, winter: the most recent one."""
    number = piece.get("de")
    if number is not None:
        return [weekday(now, number, -1)]
    recurring = _yearly(piece)
    return some(every.latest(now, recurring)) if recurring else []


def the_month(piece: DatePiece, now: datetime) -> list[Span]:
    """The June meeting; not "of June", which may be a person."""
    return latest(piece, now) if piece.get("f") == "the" else []


def day_of_month(piece: DatePiece, now: datetime) -> list[Span]:
    """7 May 2023, July 4."""
    recurring = every.month_day(piece.get("mMl"), piece.get("no"))
    return some(_placed(recurring, _year(piece, now), now))


def days_of_month(piece: DatePiece, now: datetime) -> list[Span]:
    """5 to 9 May 2023."""
    month, year = piece.get("mMl"), _year(piece, now)
    first, second = piece.all("no")[:2]
    end = _placed(every.month_day(month, second), year, now)
    start = every.of_year(every.month_day(month, first), end[0].year) if end else None
    return [(start[0], end[1])] if start and end and start[0] < end[1] else []


def months_between(piece: DatePiece, now: datetime) -> list[Span]:
    """Between May and July 2023: from the start of the first month to the end of the second."""
    cut = next(i for i, symbol in enumerate(piece.symbols) if symbol in "&~b")
    earlier = DatePiece(piece.symbols[:cut], piece.values[:cut])
    later = DatePiece(piece.symbols[cut:], piece.values[cut:])
    end = _placed(every.month(later.get("mMl")), _year(later, now), now)
    if end is None:
        return []
    first, year = every.month(earlier.get("mMl")), _year(earlier, now)
    start = every.latest(end[0], first) if year is None else every.of_year(first, year)
    return [(start[0], end[1])] if start and start[0] < end[1] else []


def which(piece: DatePiece, now: datetime) -> list[Span]:
    """Last March, next Tuesday, this summer."""
    offset, number = piece.get("LXT"), piece.get("de")
    if number is not None:
        return [weekday(now, number, offset)]
    recurring = _yearly(piece)
    return some(every.by_offset(now, recurring, offset)) if recurring else []


def day_of_week(piece: DatePiece, now: datetime) -> list[Span]:
    """Tuesday last week."""
    if piece.get("u") != "week":
        return []
    moved = shift(now, "week", piece.get("LXT"))
    return [weekday(moved, piece.get("de"), 0)]


def which_of(piece: DatePiece, now: datetime) -> list[Span]:
    """The first weekend of August, the last Friday of May 2023, the third quarter of 2024."""
    cut = next(i for i, symbol in enumerate(piece.symbols) if symbol in "ude") + 1
    part = DatePiece(piece.symbols[:cut], piece.values[:cut])
    whole = _whole(DatePiece(piece.symbols[cut:], piece.values[cut:]), now)
    return some(_nth(whole, part, part.get("o", -1))) if whole else []


def _whole(piece: DatePiece, now: datetime) -> Span | None:
    """The month, quarter or year of a part."""
    month, year = piece.get("mMl"), _year(piece, now)
    if month is not None:
        return _placed(every.month(month), year, now)
    if year is not None:
        return every.of_year(lambda y: months(y * 12, 12), year)
    return unit(now, piece.get("u"), piece.get("LXT"))


def _nth(whole: Span, piece: DatePiece, number: int) -> Span | None:
    """The `number`-th unit (from 1; -1 is the last) of `piece` within the whole."""
    name, day_number = piece.get("u"), piece.get("de")
    if name in ("month", "quarter"):
        size = 3 if name == "quarter" else 1
        count = (month_index(whole[1]) - month_index(whole[0])) // size
        place = count - 1 if number < 0 else number - 1
        return months(month_index(whole[0]) + place * size, size) if place < count else None
    length = {"week": 7, "weekend": 2, "day": 1}.get(name, 1)
    step = 1 if name == "day" else 7
    first = whole[0].toordinal()
    if name == "weekend":
        day_number = 5
    if day_number is not None:
        first += (day_number - whole[0].weekday()) % 7
    elif name not in ("week", "day"):
        return None
    if number > 0:
        start = first + step * (number - 1)
    elif name == "week":
        start = whole[1].toordinal() - length
    else:
        start = first + (whole[1].toordinal() - 1 - first) // step * step
    return days(start, length) if start < whole[1].toordinal() else None


def decade(piece: DatePiece, _now: datetime) -> list[Span]:
    """The 1990s."""
    first = piece.get("CK")
    if first is None:
        number = piece.get("n")
        if number % 10 or not 20 <= number <= 90:  # noqa: PLR2004
            return []
        first = 1900 + number
    return [months(first * 12, 120)]


def year(piece: DatePiece, _now: datetime) -> list[Span]:
    """The year 2023."""
    return [months(piece.get("yY") * 12, 12)]


def lone_year(piece: DatePiece, now: datetime) -> list[Span]:
    """2023 without a word for "year"; not a round number or a distant year."""
    number = piece.get("y")
    first, ahead = _NEAR_YEARS
    plausible = first <= number <= now.year + ahead and (number % 100 or len(piece.symbols) > 1)
    return year(piece, now) if plausible else []


def weekend(piece: DatePiece, now: datetime) -> list[Span]:
    """On the weekend: the current one from Saturday on, else the previous one."""
    if piece.get("u") != "weekend":
        return []
    return some(unit(now, "weekend", 0 if now.weekday() >= 5 else -1))  # noqa: PLR2004


def day_number(piece: DatePiece, now: datetime) -> list[Span]:
    """On the 15th: the most recent one."""
    number = piece.get("o")
    if not 1 <= number <= 28:  # noqa: PLR2004 - every month has these
        return []
    start = now.replace(day=1) if now.day >= number else now.replace(day=1) - timedelta(days=1)
    return [days(start.replace(day=1).toordinal() + number - 1)]
