"""Chooses expired memories and memories to archive. Pure."""

from __future__ import annotations

import math
import sys
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from ..model.ending import held_again as held_again  # noqa: PLC0414 - beside `restored`
from ..model.types import EventKind, HistoryRecord, MemoryItem, MemoryStatus, Scope
from ..model.usage import UNUSED, Usage
from .options import RetentionOptions

STRENGTH_DAYS = 30.0
"""Time in which a memory loses 63 % of its strength."""
STRONGEST = 3.0
"""How much longer that time is for a memory that is recalled again and again."""
LEAST_IMPORTANCE = 0.01
"""Lower bound, so that age also ranks memories without importance."""
DAY = 86_400.0

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

    Age counts from when a memory was written, not from the time it is about; for `archive_days`,
    from when it was archived. A timestamp in the future (the clock was set back) has age 0.
    """

    def is_expired(item: MemoryItem) -> bool:
        ages = (
            (options.ttl_days.of(item.type), _written(item)),
            (_by_status(item, options), item.provenance.archived_at or _written(item)),
        )
        return any(_days(since, now) > days for days, since in ages if days)

    return [item for item in items if is_expired(item)]


def salience(item: MemoryItem, now: datetime, usage: Usage = UNUSED) -> float:
    """The value of a memory from 0 to 1: its retention times its importance.

    Retention is Ebbinghaus' forgetting curve as in MemoryBank (Zhong et al. 2023, arXiv 2305.10250,
    section 3.3): ``exp(-t / S)``, where t is the time since it was last said or recalled. The
    strength S is a month instead of their day, so that values differ over many years, and grows
    with each recall up to `STRONGEST` times. Recalls do not count if feedback speaks against the
    memory (`Usage.worth`). Importance is a factor, after Generative Agents (Park et al. 2023, arXiv
    2304.03442, section 4.1, which adds the two).
    """
    said = item.updated_at
    if usage.worth and usage.last_recalled is not None:
        said = max(said, usage.last_recalled)
    strength = STRENGTH_DAYS * (1 + (STRONGEST - 1) * usage.worth)
    left = math.exp(-_days(said, now) / strength)
    # After sixty years the curve is below the smallest float.
    return max(left * min(max(item.importance, LEAST_IMPORTANCE), 1.0), sys.float_info.min)


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
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)

    def worth(item: MemoryItem) -> tuple[int, float, str]:
        return (_turn(item), salience(item, day, used.get(item.id, UNUSED)), item.id)

    counted.sort(key=worth)
    return counted[:too_many]


def archived(item: MemoryItem, now: datetime) -> MemoryItem:
    """The archived memory, with what `restored` needs. Its times stay, as its text does."""
    return replace(
        item,
        status=MemoryStatus.ARCHIVED,
        version=item.version + 1,
        provenance=replace(item.provenance, archived_from=item.status, archived_at=now),
    )


def restored(item: MemoryItem, now: datetime) -> MemoryItem | None:
    """The memory of an archived row as it was; None for what did not hold when it was archived.

    A row without `archived_from` is of an earlier version, which set `updated_at` when it archived:
    the time it is about is the time it was said. It is quarantined if it has flags.
    """
    was = item.provenance
    before = was.archived_from or _was(item)
    if before not in RESTORABLE or item.status is not MemoryStatus.ARCHIVED:
        return None
    said = item.updated_at if was.archived_from else (item.valid_from or item.created_at)
    origin = replace(was, archived_from=None, archived_at=None, restored_at=now)
    return replace(
        item, status=before, updated_at=said, version=item.version + 1, provenance=origin
    )


def archive_record(item: MemoryItem, now: datetime) -> HistoryRecord:
    """The audit row of archiving this version of a memory; its id is deterministic."""
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
        scores={"salience": salience(item, now)},
    )


def owner_of(scope: Scope) -> Scope:
    """The scope whose capacity a memory counts towards: its user, or its own scope without one."""
    if scope.user_id is None:
        return scope
    return Scope(tenant=scope.tenant, user_id=scope.user_id)


def _turn(item: MemoryItem) -> int:
    turn = _FIRST_TO_GO.get(item.status, 2)
    wanted = item.provenance.restored_at is not None and item.status in RESTORABLE
    return _LAST_TO_GO if wanted else turn


def _was(item: MemoryItem) -> MemoryStatus:
    """The status of a row before an earlier version archived it."""
    if item.provenance.superseded_by is not None or item.valid_to is not None:
        return MemoryStatus.SUPERSEDED
    return MemoryStatus.QUARANTINED if item.provenance.flags else MemoryStatus.ACTIVE


def _by_status(item: MemoryItem, options: RetentionOptions) -> float | None:
    return {
        MemoryStatus.ARCHIVED: options.archive_days,
        MemoryStatus.QUARANTINED: options.quarantine_days,
        MemoryStatus.SUPERSEDED: options.superseded_days,
    }.get(item.status)


def _written(item: MemoryItem) -> datetime:
    """When this version was last said or written, or a person told that it ended."""
    told = (item.updated_at, item.provenance.recorded_at, item.provenance.ended_at)
    return max(moment for moment in told if moment is not None)


def _days(since: datetime, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds() / DAY)
