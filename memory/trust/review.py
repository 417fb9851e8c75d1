"""What waits for a person: why, since when, and until when. Pure.

It is a quarantined memory like any other. Time never lets it in: after its days it is left out,
which is told among its reasons, and a person may still keep it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from ..model.doubts import LEFT_OUT, MAX_DOUBTS, MAX_SENTENCE, REVIEW
from ..model.times import iso
from ..model.types import Doubt, MemoryItem, MemoryStatus
from ..util.amounts import amount
from .options import ReviewKind


def review_doubts(kinds: Collection[ReviewKind], text: str, whose: str) -> tuple[Doubt, ...]:
    """Why a text waits, by the kinds that it is of."""
    return tuple(Doubt(f"{REVIEW}{kind}", whose, "", text[:MAX_SENTENCE]) for kind in sorted(kinds))


def review_kinds(flags: Collection[str]) -> list[str]:
    """The kinds that flags or kinds of doubts name."""
    return sorted(flag.removeprefix(REVIEW) for flag in flags if flag.startswith(REVIEW))


def waits_since(item: MemoryItem) -> datetime:
    """Since when a memory waits."""
    return item.provenance.recorded_at or item.created_at


def waits_until(item: MemoryItem, days: Mapping[str, float]) -> datetime | None:
    """When a memory is left out if nobody judges it; None: it waits as long as it is kept."""
    own = [days[kind] for kind in review_kinds(item.provenance.flags) if kind in days]
    return waits_since(item) + timedelta(days=min(own)) if own else None


def is_left_out(item: MemoryItem) -> bool:
    """Whether a memory waited too long."""
    return any(doubt.kind == LEFT_OUT for doubt in item.provenance.reasons)


def is_overdue(item: MemoryItem, days: Mapping[str, float], now: datetime) -> bool:
    """Whether a memory is to be left out now."""
    if item.status is not MemoryStatus.QUARANTINED or is_left_out(item):
        return False
    until = waits_until(item, days)
    return until is not None and until <= now


def left_out(item: MemoryItem, now: datetime) -> MemoryItem:
    """A memory that waited too long: it says so, with the date, and stays the version it is.

    So a person who is looking at it may still decide.
    """
    waited = (now - waits_since(item)).days
    doubt = Doubt(LEFT_OUT, detail=f"after {amount(waited, 'day')}, on {iso(now)}")
    reasons = (*item.provenance.reasons[: MAX_DOUBTS - 1], doubt)
    return replace(item, provenance=replace(item.provenance, reasons=reasons))
