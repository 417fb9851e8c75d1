"""Time zones: what a user calls today, yesterday and tomorrow. Days are local to them, moments UTC.

The zone of whoever asks is set once for a request, and read by whatever shows or reads a day.
"""

from __future__ import annotations

from contextvars import ContextVar
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import Protocol
from zoneinfo import ZoneInfo

from .errors import InvalidInputError

ZONE: ContextVar[tzinfo | None] = ContextVar("zone", default=None)
"""That of the user whose request is carried out; None for the server's."""


@lru_cache(maxsize=1024)
def _known(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        return None


def zone_named(field: str, name: object) -> ZoneInfo:
    """The zone of that name. Raises InvalidInputError that names the field."""
    if not isinstance(name, str) or (zone := _known(name)) is None:
        raise InvalidInputError(field, f"expected a time zone such as Europe/Oslo, not {name!r}")
    return zone


def is_zone(name: str) -> bool:
    """Whether there is a zone of that name."""
    return _known(name) is not None


def name_now() -> str:
    """The name of the zone that is set; "" for the server's."""
    zone = ZONE.get()
    return zone.key if isinstance(zone, ZoneInfo) else ""


def local(moment: datetime, zone: str | None = None) -> datetime:
    """A moment as a clock in the zone of that name shows it; by default in that which is set.

    The server's is that of "", and of a name that this machine does not know.
    """
    return moment.astimezone(ZONE.get() if zone is None else _known(zone) if zone else None)


class Zoned(Protocol):
    """A turn, as far as its time goes."""

    @property
    def created_at(self) -> datetime: ...
    @property
    def zone(self) -> str: ...


def said_at(turn: Zoned) -> datetime:
    """When a turn was said, by the clock of its user, from whose day "tomorrow" counts.

    Without a zone an offset of its own stays.
    """
    at, zone = turn.created_at, turn.zone
    return local(at, zone) if zone or at.tzinfo is UTC else at
