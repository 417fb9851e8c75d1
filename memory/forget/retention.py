"""Chooses expired memories and memories to archive. Pure."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from ..model.salience import day_of, days_between, salience
from ..model.types import EventKind, HistoryRecord, MemoryItem, MemoryStatus
from ..model.usage import UNUSED, Usage
from .options import RetentionOptions

_ARCHIVED = uuid.UUID("5d8a6e3e-9a0e-4f3c-8a43-6f0f0c6d7b19")
_FIRST_TO_GO = {MemoryStatus.QUARANTINED: 0, MemoryStatus.SUPERSEDED: 1}
_LAST_TO_GO = 3
KEPT = frozenset(MemoryStatus) - {MemoryStatus.ARCHIVED}
"""Statuses that count towards a user's capacity."""
RESTORABLE = frozenset({MemoryStatus.ACTIVE, MemoryStatus.QUARANTINED})
"""What an archived memory may have been to be restored. Others were no longer true."""


def expired(
    items: Iterable[MemoryItem], options: RetentionOptions, now: datetime
) -> list[MemoryItem]:
    """The memories that are older than their type or status allows.

    The age of its type counts from when it was said, as its `timestamp` tells; that of its status
    from when it was written so, and for `erase_days` from when it was archived. A timestamp in
    the future (the clock was set back) has age 0.
    """

    def is_expired(item: MemoryItem) -> bool:
        ages = (
            (options.ttl_days.of(item.type), item.updated_at),
            (_by_status(item, options), item.provenance.archived_at or _written(item)),
        )
        return any(days_between(since, now) > days for days, since in ages if days)

    return [item for item in items if is_expired(item)]


def surplus(
    items: Sequence[MemoryItem],
    most: int | None,
    now: datetime,
    used: Mapping[str, Usage] = MappingProxyType({}),
) -> list[MemoryItem]:
    """The memories to archive so that `most` are left, in order; `used` are counters by id.

    Quarantined ones come first, then earlier versions, then the least salient, and last those that
    somebody restored. Salience is taken at the start of the day and ties are broken by id, so the
    result is the same all day while no memory is used.
    """
    counted = [item for item in items if item.status in KEPT]
    too_many = len(counted) - most if most is not None else 0
    if too_many <= 0:
        return []
    day = day_of(now)

    def worth(item: MemoryItem) -> tuple[int, float, str]:
        return (_turn(item), salience(item, day, used.get(item.id, UNUSED)), item.id)

    counted.sort(key=worth)
    return counted[:too_many]


def archived(item: MemoryItem, now: datetime, instead: str | None = None) -> MemoryItem:
    """The archived memory, with what `restored` needs. Its times stay, as its text does.

    `instead` is the memory that stands for it now.
    """
    return replace(
        item,
        status=MemoryStatus.ARCHIVED,
        version=item.version + 1,
        provenance=replace(
            item.provenance, archived_from=item.status, archived_at=now, archived_for=instead
        ),
    )


def restored(item: MemoryItem, now: datetime) -> MemoryItem | None:
    """The memory of an archived row as it was; None for what did not hold when it was archived."""
    was = item.provenance
    before = was.archived_from
    if before not in RESTORABLE or item.status is not MemoryStatus.ARCHIVED:
        return None
    origin = replace(was, archived_from=None, archived_at=None, archived_for=None, restored_at=now)
    return replace(item, status=before, version=item.version + 1, provenance=origin)


def archive_record(item: MemoryItem, now: datetime, usage: Usage = UNUSED) -> HistoryRecord:
    """The audit row of archiving this version of a memory; its id is deterministic.

    It says the salience that the memory had at the start of the day, as `surplus` took it.
    """
    version = f"{item.id}|{item.updated_at.isoformat()}"
    if item.provenance.restored_at is not None:  # the same version may be archived again
        version += f"|{item.provenance.restored_at.isoformat()}"
    return HistoryRecord(
        id=str(uuid.uuid5(_ARCHIVED, version)),
        memory_id=item.id,
        event=EventKind.ARCHIVE,
        old_value=None,
        new_value=None,
        timestamp=now,
        is_deleted=False,
        scope=item.scope,
        stage="retention",
        reason="capacity",
        scores={"salience": salience(item, day_of(now), usage), "rating": usage.rating},
    )


def left_out_record(item: MemoryItem, now: datetime) -> HistoryRecord:
    """The audit row of what waited for a person too long, as it says; its id is deterministic."""
    return HistoryRecord(
        id=str(uuid.uuid5(_ARCHIVED, f"left out|{item.id}|{item.version}")),
        memory_id=item.id,
        event=EventKind.QUARANTINE,
        old_value=item.text,
        new_value=item.text,
        timestamp=now,
        is_deleted=False,
        scope=item.scope,
        stage="review",
        reason="nobody judged it in time: it is left out",
        reasons=item.provenance.reasons,
    )


def _turn(item: MemoryItem) -> int:
    turn = _FIRST_TO_GO.get(item.status, 2)
    wanted = item.provenance.restored_at is not None and item.status in RESTORABLE
    return _LAST_TO_GO if wanted else turn


def _by_status(item: MemoryItem, options: RetentionOptions) -> float | None:
    if item.status is MemoryStatus.ARCHIVED and item.provenance.archived_for:
        return None  # the evidence of a memory that stands for it, and falls with it
    return {
        MemoryStatus.ARCHIVED: options.erase_days.archived,
        MemoryStatus.QUARANTINED: options.erase_days.quarantined,
        MemoryStatus.SUPERSEDED: options.erase_days.superseded,
    }.get(item.status)


def _written(item: MemoryItem) -> datetime:
    """When this version was last said or written, or a person told that it ended."""
    told = (item.updated_at, item.provenance.recorded_at, item.provenance.ended_at)
    return max(moment for moment in told if moment is not None)
