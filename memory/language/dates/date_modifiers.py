"""Changes a found time by the words beside it: before, since, the week of.

The table has an example for each change, read at the same time as those of `rules`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from ..words import is_unspaced
from .date_resolution import within_day
from .kinds import KINDS, DatePiece, DateReading, Mention, compiled
from .spans import Span, around, clip, days, shift, unit, weekday

_LOOK_BACK = 10
"""Number of words before a time that may change it."""
_BETWEEN = re.compile(compiled("{between}{article|on}*$"))
_TO = re.compile(compiled("{and_to}{article|on}*"))
_THROUGH = re.compile(compiled("{to|since_behind}{article|on}*"))
_BEGINNING = datetime(1900, 1, 1)  # noqa: DTZ001 - local by intent
_FUTURE = datetime(2100, 1, 1)  # noqa: DTZ001
_ONE_DAY = timedelta(days=1)
_SATURDAY = 5
_ALMOST = timedelta(microseconds=1)


def _part_of_day(piece: DatePiece, span: Span, _now: datetime) -> Span | None:
    return within_day(span, piece.get("part")) if span[1] - span[0] == _ONE_DAY else None


def _whole(piece: DatePiece, span: Span, _now: datetime) -> Span | None:
    name = piece.get("unit")
    return unit(span[0], name, 0) if name in ("week", "weekend") else None


def _neighbour(piece: DatePiece, span: Span, _now: datetime) -> Span | None:
    """The day, unit or so many units before or after a time."""
    sign = -1 if piece.get("after") is None else 1
    edge = span[0] if sign < 0 else clip(span[1] - _ALMOST)
    day, name, count = piece.get("weekday"), piece.get("unit"), piece.get("count")
    if day is not None:
        return weekday(edge, day, sign)
    if name in ("second", "minute"):
        return None
    if count is not None:
        least, most = count if isinstance(count, tuple) else (count, count)
        first, second = around(edge, name, sign * least), around(edge, name, sign * most)
        return min(first[0], second[0]), max(first[1], second[1])
    if name == "weekend":
        return days(weekday(edge, _SATURDAY, sign)[0].toordinal(), 2)
    if sign < 0:
        return shift(span[0], name, -1), span[0]
    return span[1], shift(span[1], name, 1)


def _earlier(_piece: DatePiece, span: Span, _now: datetime) -> Span:
    return min(_BEGINNING, shift(span[0], "year", -1)), span[0]


def _later(_piece: DatePiece, span: Span, _now: datetime) -> Span:
    return span[1], max(_FUTURE, shift(span[1], "year", 1))


def _until_now(_piece: DatePiece, span: Span, now: datetime) -> Span:
    today = days(now.toordinal())[1]
    return span[0], today if span[0] < today else span[1]


def _ago_behind(piece: DatePiece, span: Span, now: datetime) -> Span | None:
    """前 means both "ago" and "before"; the same words of other languages follow no date."""
    if not is_unspaced(piece.get("ago|ahead")):
        return None
    return (_later if piece.get("ago") is None else _earlier)(piece, span, now)


class Change(NamedTuple):
    """The change of a time by a word beside it; None if nothing."""

    name: str
    before: str
    """The pattern of the words before the time, or empty."""
    behind: str
    change: Callable[[DatePiece, Span, datetime], Span | None]
    example: str
    period: str


CHANGES = (
    Change(
        "part_of_day", "", "{article|in|on|vague}*{part}", _part_of_day,
        "yesterday in the morning", "2023-08-15T05:00/2023-08-15T12:00",
    ),
    Change(
        "whole", "{unit_but_year}{article}+", "", _whole,
        "the week of 9 June", "2023-06-05/2023-06-12",
    ),
    Change(
        "neighbour", "(?:{count} )?{unit|weekday} {before|after|ago_or_before}{article|on}*", "",
        _neighbour,
        "two days after 26 December 2022", "2022-12-28/2022-12-29",
    ),
    Change(
        "before", "{before|ago_or_before}{article|on}*", "", _earlier,
        "before March 2023", "1900-01-01/2023-03-01",
    ),
    Change("after", "{after}{article|on}*", "", _later, "after 2020", "2021-01-01/2100-01-01"),
    Change(
        "since", "{since|ago_first}{article|on}*", "", _until_now,
        "since June", "2023-06-01/2023-08-17",
    ),
    Change(
        "before_behind", "", " {before_behind}", _earlier,
        "2023年3月まで", "1900-01-01/2023-03-01",
    ),
    Change(
        "after_behind", "", " {after_behind}", _later, "2020年以降", "2021-01-01/2100-01-01",
    ),
    Change(
        "since_behind", "", " {since_behind}", _until_now, "6月以来", "2023-06-01/2023-08-17",
    ),
    Change(
        "ago_behind", "", " {ago|ahead}", _ago_behind,
        "2023年3月之前", "1900-01-01/2023-03-01",
    ),
)  # fmt: skip
_COMPILED = tuple(
    (re.compile(compiled(f"(?:{c.before})$")) if c.before else None,
     re.compile(compiled(c.behind)) if c.behind else None, c.change)
    for c in CHANGES
)  # fmt: skip


def relate(reading: DateReading, found: Iterable[Mention], now: datetime) -> list[Mention]:
    """Apply the words beside every time; the two bounds of a period become one time."""
    related: list[Mention] = []
    for one in found:
        if related and (joined := _joined(reading, related[-1], one)):
            related[-1] = joined
            continue
        changed = _changed(reading, one, now)
        # "The Sunday before 9 June": "Sunday" was found as a separate time before.
        while related and related[-1].end > changed.start:
            related.pop()
        related.append(changed)
    return related


def _changed(reading: DateReading, found: Mention, now: datetime) -> Mention:
    for before, behind, change in _COMPILED:
        start, end = found.start, found.end
        match = (
            before.search(reading.letters, max(0, start - _LOOK_BACK), start)
            if before
            else behind and behind.match(reading.letters, end)
        )
        if not match:
            continue
        piece = DatePiece(match[0], reading.values[match.start() : match.end()])
        spans = [span for old in found.spans if (span := change(piece, old, now))]
        if len(spans) == len(found.spans):
            begin, stop = min(start, match.start()), max(end, match.end())
            found = Mention(begin, stop, spans, found.rule)
    return found


def _joined(reading: DateReading, first: Mention, second: Mention) -> Mention | None:
    """The period between two times, if the words connect them."""
    between = _BETWEEN.search(reading.letters, max(0, first.start - _LOOK_BACK), first.start)
    pattern = _TO if between else _THROUGH
    # What reads "since" after a date (から) reads "from" when another date follows.
    gap = first.end - (reading.letters[first.end - 1] == KINDS["since_behind"])
    if not pattern.fullmatch(reading.letters, gap, second.start):
        return None
    start, end = first.spans[0][0], second.spans[-1][1]
    if start >= end:
        # The year is given only once, at the end.
        start = shift(start, "year", end.year - start.year)
        start = shift(start, "year", -1) if start >= end else start
    if start >= end:
        return None
    return Mention(between.start() if between else first.start, second.end, [(start, end)])
