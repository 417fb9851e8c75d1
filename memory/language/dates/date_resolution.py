"""Resolves the words that a rule matched at a local time, as calendar spans. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

from . import spans
from .kinds import DatePiece
from .spans import Span, Yearly, around, days, hours, month_index, months, shift, some, weekday

_NEAR_YEARS = (1950, 5)
"""A number without a cue is a year from the first value up to this many years from now."""
_PARTS = ((5, 12), (12, 18), (17, 24), (18, 30))
"""First and last hour of morning, afternoon, evening and night."""
_BARE_AGO = (2, 10)
"""Least and most units of "years ago"."""
_SATURDAY = 5


def nothing(_piece: DatePiece, _now: datetime) -> list[Span]:
    """Not a time."""
    return []


def written_date(piece: DatePiece, _now: datetime) -> list[Span]:
    """2023-05-07; several for an ambiguous one."""
    readings: list[Span] = piece.get("date")
    return readings


def day_of_month(piece: DatePiece, now: datetime) -> list[Span]:
    """7 May 2023, July 4."""
    wanted = spans.month_day(piece.get("month"), piece.get("number|ordinal"))
    return some(_placed(wanted, _year(piece, now), now))


def days_of_month(piece: DatePiece, now: datetime) -> list[Span]:
    """5 to 9 May 2023."""
    month, year = piece.get("month"), _year(piece, now)
    first, second = piece.all("number|ordinal")[:2]
    end = _placed(spans.month_day(month, second), year, now)
    start = spans.of_year(spans.month_day(month, first), end[0].year) if end else None
    return [(start[0], end[1])] if start and end and start[0] < end[1] else []


def yearly(piece: DatePiece, now: datetime) -> list[Span]:
    """May 2023, Q3 of last year."""
    return some(_placed(_yearly(piece), _year(piece, now), now))


def latest(piece: DatePiece, now: datetime) -> list[Span]:
    """Monday, May: the most recent one."""
    number = piece.get("weekday")
    if number is not None:
        return [weekday(now, number, -1)]
    return some(spans.latest(now, _yearly(piece)))


def the_month(piece: DatePiece, now: datetime) -> list[Span]:
    """The June meeting; not "of June", which may be a person."""
    return latest(piece, now) if piece.get("article") == "the" else []


def which(piece: DatePiece, now: datetime) -> list[Span]:
    """Last March, next Tuesday, this May."""
    offset, number = piece.get("which"), piece.get("weekday")
    if number is not None:
        return [weekday(now, number, offset)]
    return some(spans.by_offset(now, _yearly(piece), offset))


def day_of_week(piece: DatePiece, now: datetime) -> list[Span]:
    """Tuesday last week."""
    if piece.get("unit") != "week":
        return []
    moved = shift(now, "week", piece.get("which"))
    return [weekday(moved, piece.get("weekday"), 0)]


def which_of(piece: DatePiece, now: datetime) -> list[Span]:
    """The first weekend of August, the last Friday of May 2023, the third quarter of 2024."""
    part, rest = piece.split_behind("unit_but_year|weekday")
    month, year = rest.get("month"), _year(rest, now)
    if month is not None:
        whole = _placed(spans.month(month), year, now)
    elif year is not None:
        whole = spans.of_year(lambda y: months(y * 12, 12), year)
    else:
        whole = spans.unit(now, rest.get("unit"), rest.get("which"))
    return some(_nth(whole, part, part.get("ordinal", -1))) if whole else []


def _nth(whole: Span, part: DatePiece, number: int) -> Span | None:
    """The `number`-th unit (from 1; -1 is the last) of `part` within the whole."""
    name, day_number = part.get("unit"), part.get("weekday")
    if name in ("month", "quarter"):
        size = 3 if name == "quarter" else 1
        count = (month_index(whole[1]) - month_index(whole[0])) // size
        place = count - 1 if number < 0 else number - 1
        return months(month_index(whole[0]) + place * size, size) if place < count else None
    length = {"week": 7, "weekend": 2}.get(name, 1)
    step = 1 if name == "day" else 7
    first = whole[0].toordinal()
    if name == "weekend":
        day_number = _SATURDAY
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


def ago(piece: DatePiece, now: datetime) -> list[Span]:
    """Two weeks ago, a few days ago, years ago."""
    (least, most), name = _amount(piece)
    if name == "weekend" and least == most:
        return some(spans.unit(now, name, -least))
    return [(around(now, name, -most)[0], around(now, name, -least)[1])]


def ahead(piece: DatePiece, now: datetime) -> list[Span]:
    """Two weeks from now."""
    (least, most), name = _amount(piece)
    return [(around(now, name, least)[0], around(now, name, most)[1])]


def in_units(piece: DatePiece, now: datetime) -> list[Span]:
    """In two weeks; what happens "in 5 minutes" lasts so long."""
    short = piece.get("unit") in ("second", "minute", "hour")
    return [] if short else ahead(piece, now)


def rolling(piece: DatePiece, now: datetime) -> list[Span]:
    """The past month, the last two weeks, the next three days: counted from today."""
    offset = piece.get("last|past|next", -1)
    most, name = 1, piece.get("unit")
    if piece.get("count|amount") is not None:
        (_, most), name = _amount(piece)
    return [spans.rolling(now, name, most if offset > 0 else -most)]


def _amount(piece: DatePiece) -> tuple[tuple[int, int], str]:
    """The least and most count, and the unit."""
    pair = piece.get("amount")
    if pair:
        return (pair[0], pair[0]), pair[1]
    count = piece.get("count", _BARE_AGO)
    return count if isinstance(count, tuple) else (count, count), piece.get("unit")


def unit(piece: DatePiece, now: datetime) -> list[Span]:
    """Last week, this year, the week before last."""
    name, offset = piece.get("unit"), piece.get("which", 0)
    if piece.get("before|after") is not None:
        offset *= 2
    return [] if name == "day" else some(spans.unit(now, name, offset))


def day(piece: DatePiece, now: datetime) -> list[Span]:
    """Yesterday; two days for a word with two meanings."""
    return [days(now.toordinal() + offset) for offset in piece.get("day")]


def part_of_day(piece: DatePiece, now: datetime) -> list[Span]:
    """This morning, last night."""
    return [within_day(days(now.toordinal() + piece.get("which")), piece.get("part"))]


def within_day(span: Span, part: int) -> Span:
    """A part (0 to 3) of a day."""
    return hours(span[0], *_PARTS[part])


def decade(piece: DatePiece, _now: datetime) -> list[Span]:
    """The 1990s; los años 90."""
    first = piece.get("decade|short_decade")
    if first is None:
        number = piece.get("number")
        if number % 10 or not 20 <= number <= 90:  # noqa: PLR2004 - "90" is a decade, "7" is not
            return []
        first = 1900 + number
    return [months(first * 12, 120)]


def year(piece: DatePiece, _now: datetime) -> list[Span]:
    """The year 2023."""
    return [months(piece.get("maybe_year|sure_year") * 12, 12)]


def lone_year(piece: DatePiece, now: datetime) -> list[Span]:
    """2023 without a word for "year"; not a round number or a distant year."""
    number = piece.get("maybe_year")
    first, ahead = _NEAR_YEARS
    plausible = first <= number <= now.year + ahead and (number % 100 or len(piece.letters) > 1)
    return year(piece, now) if plausible else []


def weekend(piece: DatePiece, now: datetime) -> list[Span]:
    """On the weekend: the current one from Saturday on, else the previous one."""
    if piece.get("unit") != "weekend":
        return []
    return some(spans.unit(now, "weekend", 0 if now.weekday() >= _SATURDAY else -1))


def day_number(piece: DatePiece, now: datetime) -> list[Span]:
    """On the 15th: the most recent one."""
    number = piece.get("ordinal")
    if not 1 <= number <= 28:  # noqa: PLR2004 - every month has these
        return []
    start = now.replace(day=1) if now.day >= number else now.replace(day=1) - timedelta(days=1)
    return [days(start.replace(day=1).toordinal() + number - 1)]


def _year(piece: DatePiece, now: datetime) -> int | None:
    year: int | None = piece.get("maybe_year|sure_year")
    if year is not None or piece.get("unit_year") is None:
        return year
    offset: int | None = piece.get("which")
    return None if offset is None else now.year + offset


def _yearly(piece: DatePiece) -> Yearly:
    """The named month or quarter."""
    if (number := piece.get("month")) is not None:
        return spans.month(number)
    return spans.quarter(piece.get("quarter"))


def _placed(recurring: Yearly, year: int | None, now: datetime) -> Span | None:
    return spans.latest(now, recurring) if year is None else spans.of_year(recurring, year)
