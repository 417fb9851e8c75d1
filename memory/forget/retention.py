"""Chooses expired memories and memories to archive. Pure."""

from __future__ import annotations

import math
import sys
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from ..types import EventKind, HistoryRecord, MemoryItem, MemoryStatus, Scope
from .options import RetentionOptions

STRENGTH_DAYS = 30.0
"""Time in which a memory that was never recalled loses 63 % of its strength."""
LEAST_IMPORTANCE = 0.01
"""Lower bound, so that age also ranks memories without importance."""
DAY = 86_400.0

_ARCHIVED = uuid.UUID("5d8a6e3e-9a0e-4f3c-8a43-6f0f0c6d7b19")
_FIRST_TO_GO = {MemoryStatus.QUARANTINED: 0, MemoryStatus.SUPERSEDED: 1}
KEPT = frozenset(MemoryStatus) - {MemoryStatus.ARCHIVED}
"""Statuses that count towards a user's capacity."""


def expired(
    items: Iterable[MemoryItem], options: RetentionOptions, now: datetime
) -> list[MemoryItem]:
    """The memories that are older than their type or status allows.

    Age counts from when a memory was written, not from the time it is about. A timestamp in the
    future (the clock was set back) has age 0.
    """

    def is_expired(item: MemoryItem) -> bool:
        limits = [options.ttl_days.of(item.type), _by_status(item, options)]
        age = _days(_written(item), now)
        return any(age > days for days in limits if days)

    return [item for item in items if is_expired(item)]


def salience(item: MemoryItem, now: datetime) -> float:
    """The value of a memory from 0 to 1: its retention times its importance.

    Retention is Ebbinghaus' forgetting curve as in MemoryBank (Zhong et al. 2023, arXiv 2305.10250,
    section 3.3): ``exp(-t / S)``, where t is the time since the last recall and the strength S
    grows by its initial value with every recall. The initial value is a month instead of their day,
    so that values differ over many years. Importance is a factor, after Generative Agents (Park et
    al. 2023, arXiv 2304.03442, section 4.1, which adds the two).
    """
    seen = max(item.last_accessed_at or item.updated_at, item.updated_at)
    strength = STRENGTH_DAYS * (1 + max(item.access_count, 0))
    left = math.exp(-_days(seen, now) / strength)
    # After sixty years the curve is below the smallest float.
    return max(left * min(max(item.importance, LEAST_IMPORTANCE), 1.0), sys.float_info.min)


def surplus(items: Sequence[MemoryItem], most: int | None, now: datetime) -> list[MemoryItem]:
    """The memories to archive so that `most` are left, in order.

    Quarantined ones come first, then earlier versions, then the least salient. Salience is taken at
    the start of the day and ties are broken by id, so the result is the same all day.
    """
    counted = [item for item in items if item.status in KEPT]
    too_many = len(counted) - most if most is not None else 0
    if too_many <= 0:
        return []
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    counted.sort(key=lambda item: (_FIRST_TO_GO.get(item.status, 2), salience(item, day), item.id))
    return counted[:too_many]


def archived(item: MemoryItem, now: datetime) -> MemoryItem:
    """The archived memory; `updated_at` is the time of archiving."""
    return replace(item, status=MemoryStatus.ARCHIVED, updated_at=now)


def archive_record(item: MemoryItem, now: datetime) -> HistoryRecord:
    """The audit row of archiving this version of a memory; its id is deterministic."""
    return HistoryRecord(
        id=str(uuid.uuid5(_ARCHIVED, f"{item.id}|{item.updated_at.isoformat()}")),
        memory_id=item.id,
        event=EventKind.ARCHIVE,
        old_value=None,
        new_value=None,
        timestamp=now,
        is_deleted=False,
        scope=item.scope,
        stage="retention",
        reason="capacity",
        scores={"salience": salience(item, now)},
    )


def owner_of(scope: Scope) -> Scope:
    """The scope whose capacity a memory counts towards: its user, or its own scope without one."""
    if scope.user_id is None:
        return scope
    return Scope(tenant=scope.tenant, user_id=scope.user_id)


def _by_status(item: MemoryItem, options: RetentionOptions) -> float | None:
    return {
        MemoryStatus.ARCHIVED: options.archive_days,
        MemoryStatus.QUARANTINED: options.quarantine_days,
        MemoryStatus.SUPERSEDED: options.superseded_days,
    }.get(item.status)


def _written(item: MemoryItem) -> datetime:
    """When this version was last said or written."""
    recorded = item.provenance.recorded_at
    return max(item.updated_at, recorded) if recorded else item.updated_at


def _days(since: datetime, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds() / DAY)
