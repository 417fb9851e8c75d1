"""Which memories have had their time, and which make room for others. Pure."""

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
"""How long a memory that was never asked for takes to lose 63 % of its strength."""
LEAST_IMPORTANCE = 0.01
"""So that age also tells unimportant memories apart."""
DAY = 86_400.0

_ARCHIVED = uuid.UUID("5d8a6e3e-9a0e-4f3c-8a43-6f0f0c6d7b19")
_FIRST_TO_GO = {MemoryStatus.QUARANTINED: 0, MemoryStatus.SUPERSEDED: 1}
KEPT = frozenset(MemoryStatus) - {MemoryStatus.ARCHIVED}
"""What counts towards a user's capacity."""


def expired(
    items: Iterable[MemoryItem], options: RetentionOptions, now: datetime
) -> list[MemoryItem]:
    """Those that are to be erased for their age."""
    return [item for item in items if is_expired(item, options, now)]


def is_expired(item: MemoryItem, options: RetentionOptions, now: datetime) -> bool:
    """Whether a memory is older than its type or its status may become.

    What was imported yesterday is a day old, whatever time it speaks of. Of a moment in the future
    (a clock went back) nothing has passed yet.
    """
    limits = [days for days in (options.ttl_days.of(item.type), _by_status(item, options)) if days]
    return bool(limits) and _days(_written(item), now) > min(limits)


def salience(item: MemoryItem, now: datetime) -> float:
    """How much would be missed, from 0 to 1: what is left of it times how important it is.

    What is left is Ebbinghaus' forgetting curve as MemoryBank has it (Zhong et al. 2023, arXiv
    2305.10250, section 3.3): ``exp(-t / S)``, where t is the time since it was last recalled and
    the strength S grows by its first value with every recall. Theirs is a day; a month here keeps
    numbers of many years apart. Multiplied by importance as in Generative Agents' retrieval (Park
    et al. 2023, arXiv 2304.03442, section 4.1, which adds the two).
    """
    seen = max(item.last_accessed_at or item.updated_at, item.updated_at)
    strength = STRENGTH_DAYS * (1 + max(item.access_count, 0))
    left = math.exp(-_days(seen, now) / strength)
    # After sixty years the curve is below the smallest number there is.
    return max(left * min(max(item.importance, LEAST_IMPORTANCE), 1.0), sys.float_info.min)


def surplus(items: Sequence[MemoryItem], most: int | None, now: datetime) -> list[MemoryItem]:
    """Those to archive so that `most` are left, in the order in which they go.

    Quarantined ones first, then earlier versions, then the least salient. Salience is that of the
    day's beginning, and of equals the smaller id goes: whoever asks on one day about the same
    memories gets the same answer.
    """
    counted = [item for item in items if item.status in KEPT]
    too_many = len(counted) - most if most is not None else 0
    if too_many <= 0:
        return []
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    counted.sort(key=lambda item: (_FIRST_TO_GO.get(item.status, 2), salience(item, day), item.id))
    return counted[:too_many]


def archived(item: MemoryItem, now: datetime) -> MemoryItem:
    """The memory put aside; `updated_at` says since when."""
    return replace(item, status=MemoryStatus.ARCHIVED, updated_at=now)


def archive_record(item: MemoryItem, now: datetime) -> HistoryRecord:
    """The audit row of archiving this version of a memory: the same id whoever writes it."""
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
    """Whose capacity a memory counts towards: its user's, or without one that of its scope."""
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
    """When this version was last said or written down."""
    recorded = item.provenance.recorded_at
    return max(item.updated_at, recorded) if recorded else item.updated_at


def _days(since: datetime, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds() / DAY)
