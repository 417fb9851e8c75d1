"""Finds the times that a text names."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from itertools import islice

from .beside import relate
from .grammar import Mention, find
from .kinds import DateReading
from .languages import readings_of
from .period import Period
from .reading import normalise
from .spans import clip

LONGEST = 2000
"""Characters of a text that are read."""
MOST = 4
"""Periods that are returned."""
_MOST_FOUND = 8
"""Times that are resolved: some are joined, some are repeated."""


def periods(text: str, now: datetime) -> list[Period]:
    """The times a query names, resolved against `now` (aware; in the user's zone): at most 4.

    A month or weekday without a year is the most recent one, unless the query says "next".
    An ambiguous date (05/07/2023) gives a period for each reading. The first 2,000 characters are
    read. Any text without a time gives an empty list.
    """
    local = clip(now.replace(tzinfo=None, fold=0))
    for reading in readings_of(normalise(text, LONGEST)):
        if found := relate(reading, islice(find(reading, local), _MOST_FOUND), local):
            return _periods(reading, found, now.tzinfo or UTC)
    return []


def _periods(reading: DateReading, found: Iterable[Mention], zone: tzinfo) -> list[Period]:
    result: dict[tuple[datetime, datetime], Period] = {}
    for one in found:
        words = reading.text[reading.starts[one.start] : reading.ends[one.end - 1]]
        for start, end in one.spans:
            period = Period(start.replace(tzinfo=zone), end.replace(tzinfo=zone), words, one.rule)
            # A period in the hour that daylight saving skips is empty.
            if period.start.timestamp() < period.end.timestamp():
                result.setdefault((start, end), period)
    return list(result.values())[:MOST]
