"""What the answers of one model taught about one place. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from recollect.filters import Place

FIRST_PAUSE = 300.0
"""How long a place is left alone after its first refusal, in seconds. It may have been an
accident, or the server may be given another template."""
TIMES = 4
"""So much longer is each pause than the one before."""
LONGEST_PAUSE = 86_400.0
FORGOTTEN_AFTER = 7 * 86_400.0
"""A refusal so long ago does not lengthen the next pause, in seconds."""


MOST_VAIN = 8
"""Refusals in a row, with no acceptance between them, that count against an accepted place."""


@dataclass(frozen=True, slots=True)
class Record:
    """The refusals of a place, newest last."""

    refusals: int = 0
    status: int = 0
    """The server's answer to the last one."""
    at: float = 0.0
    """When that was, in seconds since 1970."""
    until: float = 0.0
    """Till when the place is left alone."""

    def is_left(self, now: float) -> bool:
        """Whether the place is not to be used at this time."""
        return now < self.until

    def refused(self, status: int, now: float) -> Record:
        """The record after one more refusal; requests under way at a refusal count as one."""
        if self.is_left(now):
            return self
        known = self.refusals if now - self.at < FORGOTTEN_AFTER else 0
        pause = min(FIRST_PAUSE * TIMES**known, LONGEST_PAUSE)
        return Record(known + 1, status, now, now + pause)


@dataclass(frozen=True, slots=True)
class Trust:
    """What speaks for the place `user`, which the shape of no conversation forbids."""

    accepted: bool = False
    vain: int = 0
    """Refusals in a row since then."""

    def refused(self) -> Trust:
        """One more refusal."""
        return replace(self, vain=self.vain + 1)

    @property
    def is_lost(self) -> bool:
        """Whether refusals are the place's fault, and not that of single requests.

        A server that took the place before refuses a request for what it holds: with the memories
        it is longer than the model's context, say. One client can cause that at will, and must not
        take the place from everybody.
        """
        return not self.accepted or self.vain >= MOST_VAIN


Records = Mapping[Place, Record]


def dumped(records: Records) -> dict[str, Any]:
    """The records as JSON."""
    return {
        place.value: {
            "refusals": record.refusals,
            "status": record.status,
            "at": record.at,
            "until": record.until,
        }
        for place, record in records.items()
    }


def loaded(value: Any) -> Records:
    """Records from JSON. Raises KeyError, TypeError, ValueError: they are malformed."""
    return {
        Place(name): Record(
            int(each["refusals"]), int(each["status"]), float(each["at"]), float(each["until"])
        )
        for name, each in dict(value).items()
    }
