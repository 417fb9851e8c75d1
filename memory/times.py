"""Times as every backend keeps them: whole milliseconds since the epoch, exact both ways."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
LONGEST_REST = timedelta(hours=26)
"""A job that rests for longer was put off by a clock that has gone back since: the longest of all
waits is for the next day's budget."""


def to_ms(moment: datetime) -> int:
    """Milliseconds since the epoch; parts of one are cut off."""
    return (moment - _EPOCH) // _MILLISECOND


def sequence_from(moment: datetime) -> int:
    """Where the memories of one call begin to be numbered (`Provenance.sequence`).

    A call a millisecond later begins a thousand later.
    """
    return to_ms(moment) * 1000


def from_ms(milliseconds: int) -> datetime:
    """The UTC datetime `to_ms` came from."""
    return _EPOCH + milliseconds * _MILLISECOND
