"""Resolvers for times relative to now: ago, last week, yesterday."""

from __future__ import annotations

from datetime import datetime

from . import spans
from .spans import Span, around, days, hours, some
from .symbols import DatePiece

_PARTS = ((5, 12), (12, 18), (17, 24), (18, 30))
"""First and last hour of morning, afternoon, evening and night."""
_BARE_AGO = (2, 10)
"""Least and most units of "years ago"."""


def _amount(piece: DatePiece) -> tuple[tuple[int, int], str]:
    """The least and most count, and the unit."""
    pair = piece.get("W")
    if pair:
        return (pair[0], pair[0]), pair[1]
    count = piece.get("nyq", 1 if "a" in piece.symbols else None)
    if count is None:
        return _BARE_AGO, piece.get("uj")
    return count if isinstance(count, tuple) else (count, count), piece.get("uj")


def ago(piece: DatePiece, now: datetime) -> list[Span]:
    """Two weeks ago, a few days ago, years ago."""
    (least, most), name = _amount(piece)
    if name == "weekend" and least == most:
        return some(spans.unit(now, name, -least))
    nearest = around(now, name, -least)
    return [nearest if least == most else (around(now, name, -most)[0], nearest[1])]


def ahead(piece: DatePiece, now: datetime) -> list[Span]:
    """Two weeks from now."""
    (least, most), name = _amount(piece)
    nearest = around(now, name, least)
    return [nearest if least == most else (nearest[0], around(now, name, most)[1])]


def rolling(piece: DatePiece, now: datetime) -> list[Span]:
    """The past month, the last two weeks, the next three days: counted from today."""
    offset = piece.get("LpX", -1)
    if piece.get("nyqaW") is None:
        most, name = 1, piece.get("uj")
    else:
        (_, most), name = _amount(piece)
    return [spans.rolling(now, name, most if offset > 0 else -most)]


def unit(piece: DatePiece, now: datetime) -> list[Span]:
    """Last week, this year."""
    name = piece.get("uj")
    return [] if name == "day" else some(spans.unit(now, name, piece.get("LXT", 0)))


def before_last(piece: DatePiece, now: datetime) -> list[Span]:
    """The week before last, the week after next."""
    return some(spans.unit(now, piece.get("uj"), 2 * piece.get("LX")))


def day(piece: DatePiece, now: datetime) -> list[Span]:
    """Yesterday; two days for a word with two meanings."""
    return [days(now.toordinal() + offset) for offset in piece.get("R")]


def within_day(span: Span, part: int) -> Span:
    """A part (0 to 3) of a day."""
    return hours(span[0], *_PARTS[part])


def part_of_day(piece: DatePiece, now: datetime) -> list[Span]:
    """This morning, last night."""
    whole = days(now.toordinal() + piece.get("LXT"))
    return [within_day(whole, piece.get("z"))]


def known_part(piece: DatePiece, now: datetime) -> list[Span]:
    """Tonight."""
    offset, part = piece.get("O")
    return [within_day(days(now.toordinal() + offset), part)]


def recently(piece: DatePiece, now: datetime) -> list[Span]:
    """Recently, the other day."""
    return [spans.rolling(now, "day", -piece.get("V"))]
