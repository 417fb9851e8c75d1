"""Times as every backend keeps them: whole milliseconds since the epoch, exact both ways."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_PRECISION = "milliseconds"
LONGEST_REST = timedelta(hours=26)
"""A job that waits for longer was delayed by a clock that has since gone back: the longest regular
wait is for the next day's budget."""


def to_ms(moment: datetime) -> int:
    """Milliseconds since the epoch; fractions are cut off."""
    return (moment - _EPOCH) // _MILLISECOND


def sequence_from(moment: datetime) -> int:
    """The first `Provenance.sequence` of one call.

    A call a millisecond later starts a thousand higher.
    """
    return to_ms(moment) * 1000


def from_ms(milliseconds: int) -> datetime:
    """The UTC datetime of `to_ms`."""
    return _EPOCH + milliseconds * _MILLISECOND


def iso(moment: datetime) -> str:
    """ISO 8601 with milliseconds and offset."""
    return _of_utc(moment) if moment.tzinfo is UTC else moment.isoformat(timespec=_PRECISION)


@lru_cache(maxsize=4096)
def _of_utc(moment: datetime) -> str:
    """Each memory that is shown has four. Equal times of other zones are other texts."""
    return moment.isoformat(timespec=_PRECISION)
