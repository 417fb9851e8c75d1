"""Which memories were true at another time, as they were known then. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from ..model.endings import began, is_version
from ..model.types import MemoryItem, MemoryStatus


def at_a_time(
    items: Iterable[MemoryItem], *, as_of: datetime, known_at: datetime | None
) -> list[MemoryItem]:
    """The memories that were true at `as_of`, as they were known at `known_at` (default: now).

    `items` are all rows of a scope that were ever true. What was deleted or forgotten is not among
    them, and neither is what nobody trusted when it ended.
    """
    trusted = [item for item in items if not _was_doubted(item)]
    believed = trusted if known_at is None else list(_known(trusted, known_at))
    return _told_last([item for item in believed if held(item, as_of)])


def held(item: MemoryItem, moment: datetime) -> bool:
    """Whether a memory was true at a moment; from when it is known on, if no other time is."""
    return began(item) <= moment and (item.valid_to is None or moment < item.valid_to)


def _was_doubted(item: MemoryItem) -> bool:
    return MemoryStatus.QUARANTINED in {item.provenance.ended_from, item.provenance.archived_from}


def _told_last(items: Sequence[MemoryItem]) -> list[MemoryItem]:
    """One version of each memory: a memory that was taken back to an earlier one has it twice."""
    last: dict[str, MemoryItem] = {}
    for item in items:
        name = _memory_of(item)
        last[name] = max(last.get(name, item), item, key=_told_order)
    kept = {item.id for item in last.values()}
    return [item for item in items if item.id in kept]


def _memory_of(item: MemoryItem) -> str:
    """The id of the memory that it is a version of."""
    return (item.provenance.superseded_by if is_version(item) else None) or item.id


def _told_order(item: MemoryItem) -> tuple[datetime, int]:
    return _recorded(item), item.version


def _known(items: Iterable[MemoryItem], moment: datetime) -> Iterator[MemoryItem]:
    """The versions that were recorded by then, without what was recorded later about their end."""
    versions: dict[str, list[MemoryItem]] = {}
    for item in items:
        if _recorded(item) <= moment:
            versions.setdefault(_memory_of(item), []).append(item)
    for chain in versions.values():
        *earlier, last = sorted(chain, key=_told_order)
        yield from earlier
        yield _before_its_end(last, moment)


def _before_its_end(item: MemoryItem, moment: datetime) -> MemoryItem:
    """The last version that was known: nobody knew yet that it would be replaced, or end."""
    replaced = is_version(item)
    origin = item.provenance
    told = origin.ended_at or origin.recorded_at or item.updated_at
    if item.status is MemoryStatus.SUPERSEDED and (replaced or told > moment):
        return replace(item, status=MemoryStatus.ACTIVE, valid_to=None)
    return item


def _recorded(item: MemoryItem) -> datetime:
    """When a version was first known. Of one that has ended, the row tells when that was told."""
    origin = item.provenance
    by_hand = origin.ended_at is not None and origin.recorded_at is not None
    if item.status is MemoryStatus.SUPERSEDED and not (is_version(item) or by_hand):
        return item.valid_from or item.created_at
    return origin.recorded_at or item.created_at
