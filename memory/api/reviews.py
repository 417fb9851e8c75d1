"""What waits for a person, as the API tells it, and what a person may decide. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import NotRequired

from typing_extensions import TypedDict

from ..model.errors import InvalidInputError
from ..model.times import iso
from ..model.types import MemoryItem
from ..trust.review import is_left_out, is_overdue, review_kinds, waits_since, waits_until
from .results import MemoryDict, memory_dict


class ReviewDecision(StrEnum):
    """What a person decides about what waits."""

    KEEP = "keep"
    EDIT = "edit"
    REFUSE = "refuse"
    NEVER_AGAIN = "never_again"


class WaitDict(TypedDict):
    """How a memory waits."""

    kinds: list[str]
    """Those of `trust.review`; none, if it waits for another of its `reasons`."""
    since: str
    until: NotRequired[str]
    """When it is left out if nobody judges it."""
    left_out: bool
    """Whether it waited too long."""


class WaitingDict(MemoryDict):
    """A memory that waits for a person."""

    review: WaitDict


class ReviewQueue(TypedDict):
    """A page of what waits for a person."""

    results: list[WaitingDict]
    next: NotRequired[str]
    """The cursor of the next page, if there is one."""


def checked_decision(name: str, said: object) -> str:
    """One of the decisions. Raises InvalidInputError."""
    if not isinstance(said, str) or said not in [*ReviewDecision]:
        raise InvalidInputError(name, f"expected one of {', '.join(ReviewDecision)}")
    return said


def waiting_dict(item: MemoryItem, days: Mapping[str, float], now: datetime) -> WaitingDict:
    """A memory with how it waits `now`; `days` are those of `trust.review`."""
    waits = WaitDict(
        kinds=review_kinds(item.provenance.flags),
        since=iso(waits_since(item)),
        left_out=is_left_out(item) or is_overdue(item, days, now),
    )
    until = waits_until(item, days)
    if until is not None and not waits["left_out"]:
        waits["until"] = iso(until)
    return WaitingDict(**memory_dict(item), review=waits)
