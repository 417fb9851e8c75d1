"""Memories of one matter, which stay beside each other until a model or a person judges them."""

from __future__ import annotations

from ..memories import SqlMemories
from ..model.types import MemoryItem, Scope
from .results import ConflictDict, ConflictResults, memory_dict


async def conflicts_in(store: SqlMemories, scope: Scope) -> ConflictResults:
    """The memories of a scope that wait for a judgement. Raises StoreError."""
    active = {item.id: item for item in await store.list(scope, limit=None)}
    found = [
        ConflictDict(memory=memory_dict(item), others=[memory_dict(one) for one in others])
        for item in active.values()
        if (others := _others(item, active))
    ]
    found.sort(key=lambda one: one["memory"]["created_at"], reverse=True)
    return ConflictResults(results=found)


def _others(item: MemoryItem, active: dict[str, MemoryItem]) -> list[MemoryItem]:
    return [active[name] for name in item.provenance.pending if name in active]
