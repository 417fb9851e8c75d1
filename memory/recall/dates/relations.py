"""Changes a time by the words around it: before, since, between, early, the week of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from .counted import within_day
from .grammar import Mention
from .spans import Span, around, clip, days, shift, third, unit, weekday
from .symbols import SymbolText

_LOOK_BACK = 10
"""Number of symbols before a time that may change it."""
_THIRD_AFTER = re.compile("f*g")
_OPEN_AFTER = re.compile("f*([xrhAN])")
_PART_AFTER = re.compile("[fitv]*z")
_THIRD = re.compile("E[ft]*$")
_ANCHOR = re.compile("(?:([naqy])f*)?([ujde])f*([bcB])[ft]*$")
_WHOLE = re.compile("uf+$")
_OPEN = re.compile("([bckBP])[ft]*$")
_BETWEEN = re.compile("w[ft]*$")
_TO = re.compile("[&~b][ft]*")
_THROUGH = re.compile("[~h][ft]*")
_BEGINNING = datetime(1900, 1, 1)  # noqa: DTZ001
_FUTURE = datetime(2100, 1, 1)  # noqa: DTZ001
_ONE_DAY = timedelta(days=1)
_SATURDAY = 5
_ALMOST = timedelta(microseconds=1)

Change = Callable[[Span], Span]


@dataclass(slots=True)
class Around:
    """A found time and the words around it."""

    reading: SymbolText
    found: Mention
    now: datetime

    def apply(self) -> Mention:
        self._part_of_day()
        for step in (self._third, self._whole, self._anchored, self._open):
            step()
        return self.found

    def _before(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        first = max(0, self.found.start - _LOOK_BACK)
        return pattern.search(self.reading.symbols, first, self.found.start)

    def _change(self, start: int, change: Change) -> None:
        self.found.start = start
        self.found.spans = [change(span) for span in self.found.spans]

    def _part_of_day(self) -> None:
        """Yesterday in the morning, Tuesday night."""
        match = _PART_AFTER.match(self.reading.symbols, self.found.end)
        if match and all(end - start == _ONE_DAY for start, end in self.found.spans):
            part = self.reading.values[match.end() - 1]
            self.found.end = match.end()
            self._change(self.found.start, lambda span: within_day(span, part))

    def _third(self) -> None:
        """Early in June, the end of 2022."""
        if any(end - start <= _ONE_DAY for start, end in self.found.spans):
            return
        if match := _THIRD_AFTER.match(self.reading.symbols, self.found.end):
            part = self.reading.values[match.end() - 1]
            self.found.end = match.end()
            self._change(self.found.start, lambda span: third(span, part))
        elif match := self._before(_THIRD):
            part = self.reading.values[match.start()]
            self._change(match.start(), lambda span: third(span, part))

    def _whole(self) -> None:
        """The week of 9 June."""
        match = self._before(_WHOLE)
        name = self.reading.values[match.start()] if match else None
        if match and name in ("week", "weekend"):
            self._change(match.start(), lambda span: unit(span[0], name, 0) or span)

    def _anchored(self) -> None:
        """The week before 9 June 2023, the Sunday after it, two days before it."""
        match = self._before(_ANCHOR)
        if not match:
            return
        values = self.reading.values
        sign = 1 if match[3] == "c" else -1
        what = values[match.start(2)]
        count = values[match.start(1)] if match[1] else None
        if match[2] in "de":
            self._change(match.start(2), lambda span: weekday(_edge(span, sign), what, sign))
        elif what not in ("second", "minute"):
            count = 1 if match[1] == "a" else count
            self._change(match.start(), lambda span: _unit_beside(span, what, count, sign))

    def _open(self) -> None:
        """Before March, since 2020."""
        before = self._before(_OPEN)
        if before:
            self._change(before.start(), self._opened(before[1]))
            return
        after = _OPEN_AFTER.match(self.reading.symbols, self.found.end)
        # "Back" and "hence" mean nothing after a date, unlike 前 and 后.
        if after and not (after[1] in "AN" and self.reading.values[after.end() - 1].isascii()):
            self.found.end = after.end()
            self._change(self.found.start, self._opened(after[1]))

    def _opened(self, symbol: str) -> Change:
        """The change that removes the start or the end of a span."""
        if symbol in "crN":
            return _later
        if symbol not in "kPh":
            return _earlier
        today = days(self.now.toordinal())[1]
        return lambda span: (span[0], today if span[0] < today else span[1])


def _edge(span: Span, sign: int) -> datetime:
    """A time on the day from which units are counted."""
    return span[0] if sign < 0 else clip(span[1] - _ALMOST)


def _unit_beside(span: Span, name: str, count: int | tuple[int, int] | None, sign: int) -> Span:
    edge = _edge(span, sign)
    if count is not None:
        least, most = count if isinstance(count, tuple) else (count, count)
        first, second = around(edge, name, sign * least), around(edge, name, sign * most)
        return min(first[0], second[0]), max(first[1], second[1])
    if name == "weekend":
        return days(weekday(edge, _SATURDAY, sign)[0].toordinal(), 2)
    if sign < 0:
        return shift(span[0], name, -1), span[0]
    return span[1], shift(span[1], name, 1)


def _earlier(span: Span) -> Span:
    return min(_BEGINNING, shift(span[0], "year", -1)), span[0]


def _later(span: Span) -> Span:
    return span[1], max(_FUTURE, shift(span[1], "year", 1))


def relate(reading: SymbolText, found: Iterable[Mention], now: datetime) -> list[Mention]:
    """Apply the surrounding words to every time; the two bounds of a period become one time."""
    related: list[Mention] = []
    for one in found:
        if related and (joined := _joined(reading, related[-1], one)):
            related[-1] = joined
            continue
        changed = Around(reading, one, now).apply()
        # "The Sunday before 9 June": "Sunday" was found as a separate time before.
        while related and related[-1].end > changed.start:
            related.pop()
        related.append(changed)
    return related


def _joined(reading: SymbolText, first: Mention, second: Mention) -> Mention | None:
    """The period between two times, if the words connect them."""
    between = _BETWEEN.search(reading.symbols, max(0, first.start - _LOOK_BACK), first.start)
    pattern = _TO if between else _THROUGH
    # What reads "since" after a date (から) reads "from" when another date follows.
    gap = first.end - (reading.symbols[first.end - 1] == "h")
    if not pattern.fullmatch(reading.symbols, gap, second.start):
        return None
    start, end = first.spans[0][0], second.spans[-1][1]
    if start >= end:
        # The year is given only once, at the end.
        start = shift(start, "year", end.year - start.year)
        start = shift(start, "year", -1) if start >= end else start
    if start >= end:
        return None
    return Mention(between.start() if between else first.start, second.end, [(start, end)])
