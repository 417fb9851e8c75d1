"""The memories of another time: what was true then, and what was known then. Pure.

A changed memory keeps its id; its earlier texts are rows of their own, which name it
(`superseded_by`) and end where the next one begins. So the rows of a scope tell its past.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from ..model.types import MemoryItem, MemoryStatus


def at_a_time(
    items: Iterable[MemoryItem], *, as_of: datetime, known_at: datetime | None
) -> list[MemoryItem]:
    """The memories that were true at `as_of`, as they were known at `known_at` (default: now).

    `items` are all rows of a scope that were ever true. What was deleted or forgotten is not among
    them.
    """
    believed = items if known_at is None else _known(items, known_at)
    return [item for item in believed if held(item, as_of)]


def held(item: MemoryItem, moment: datetime) -> bool:
    """Whether a memory was true at a moment; from when it is known on, if no other time is."""
    began = item.valid_from or item.created_at
    return began <= moment and (item.valid_to is None or moment < item.valid_to)


def _known(items: Iterable[MemoryItem], moment: datetime) -> Iterator[MemoryItem]:
    """The versions that were recorded by then, without what was recorded later about their end."""
    versions: dict[str, list[MemoryItem]] = {}
    for item in items:
        if _recorded(item) <= moment:
            versions.setdefault(item.provenance.superseded_by or item.id, []).append(item)
    for chain in versions.values():
        *earlier, last = sorted(chain, key=lambda item: (_recorded(item), item.version))
        yield from earlier
        yield _before_its_end(last, moment)


def _before_its_end(item: MemoryItem, moment: datetime) -> MemoryItem:
    """The last version that was known: nobody knew yet that it would be replaced, or end."""
    replaced = item.provenance.superseded_by is not None
    told = item.provenance.recorded_at or item.updated_at
    if item.status is MemoryStatus.SUPERSEDED and (replaced or told > moment):
        return replace(item, status=MemoryStatus.ACTIVE, valid_to=None)
    return item


def _recorded(item: MemoryItem) -> datetime:
    """When a version was first known. Of one that has ended, the row tells when that was told."""
    if item.status is MemoryStatus.SUPERSEDED and item.provenance.superseded_by is None:
        return item.valid_from or item.created_at
    return item.provenance.recorded_at or item.created_at
