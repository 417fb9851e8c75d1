"""Counts memories of all tenants that a person or a model has to judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..memories import SqlMemories
from ..model.types import MemoryStatus


class DoubtfulCounts(NamedTuple):
    """Counts of all tenants."""

    rows: int
    """Memories of every status: what was read to count."""
    quarantined: int
    conflicts: int
    """Active memories beside another of the same matter, until a model or a person judges them."""
    left_out: int = 0
    """Quarantined memories that waited for a person too long."""


async def doubtful_in(store: SqlMemories) -> DoubtfulCounts:
    """Count them; reads a few columns of every row. Raises StoreError."""
    counted = await store.tally(None, waiting=True)
    quarantined = sum(
        count for (_, status), count in counted.kinds.items() if status is MemoryStatus.QUARANTINED
    )
    conflicts = await _conflicts(store, counted.waiting)
    left_out = counted.left_out.total()
    return DoubtfulCounts(sum(counted.kinds.values()), quarantined, conflicts, left_out)


async def _conflicts(store: SqlMemories, waiting: Mapping[tuple[str, str], Iterable[str]]) -> int:
    """Those of them whose others are still there, as `conflicts_in` tells them."""
    by_tenant: dict[str, dict[str, Iterable[str]]] = {}
    for (tenant, memory_id), others in waiting.items():
        by_tenant.setdefault(tenant, {})[memory_id] = others
    found = 0
    for tenant, pending in by_tenant.items():
        named = list({other for others in pending.values() for other in others})
        there = {
            item.id for item in await store.get(tenant, named) if item.status is MemoryStatus.ACTIVE
        }
        found += sum(not there.isdisjoint(others) for others in pending.values())
    return found
