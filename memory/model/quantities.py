"""Reads numbers and times from strangers: the one place that does. Pure.

JSON has numbers that no float holds, Python takes `true` for 1, and a time at the end of the
calendar has no equal in UTC: what does not fit is no number and no time, wherever it is written.
"""

from __future__ import annotations

import math
from datetime import UTC, date, datetime

from .times import to_ms

FIRST_MS = to_ms(datetime.min.replace(tzinfo=UTC))
LAST_MS = to_ms(datetime.max.replace(tzinfo=UTC))
"""The ends of the calendar, in milliseconds since the epoch."""
_MOST_CHARS = 64
"""For a time in ISO 8601."""


def number_of(value: object) -> int | float | None:
    """The number, if a float can hold it; None for anything else, as `True`, NaN or a text."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return value if math.isfinite(value) else None
    except OverflowError:  # a whole number of more than 308 digits
        return None


def whole_of(value: object, least: int, most: int) -> int | None:
    """The whole number from `least` to `most`; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if least <= value <= most else None


def digits_of(text: str, most: int) -> int | None:
    """The whole number up to `most` that these decimal digits write; None for anything else."""
    text = text.strip()
    if not text.isdecimal() or len(text) > len(str(most)):
        return None
    return whole_of(int(text), 0, most)


def moment_of(value: object, *, seconds: bool = True, zone: bool = False) -> datetime | None:
    """The time, with its zone, of a date, a time, a text in ISO 8601, or seconds since the epoch.

    Without a zone it is UTC, or no time if a `zone` must be there; a day is its beginning. None for
    anything else, for numbers unless `seconds` count, and outside of the years 1 to 9999 in UTC.
    """
    try:
        return _moment(value, seconds=seconds, zone=zone)
    except (ValueError, OverflowError, OSError):
        return None


def _moment(value: object, *, seconds: bool, zone: bool) -> datetime | None:
    if isinstance(value, str):
        if len(value) > _MOST_CHARS:
            return None
        value = datetime.fromisoformat(value)
    elif seconds and (number := number_of(value)) is not None:
        return datetime.fromtimestamp(number, UTC)
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)  # noqa: DTZ001 - as any without
    if not isinstance(value, datetime) or (zone and value.tzinfo is None):
        return None
    aware = value if value.tzinfo else value.replace(tzinfo=UTC)
    if aware.tzinfo is not UTC:
        aware.astimezone(UTC)
    return aware
