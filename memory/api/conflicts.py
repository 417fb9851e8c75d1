"""Memories of one matter, which stay beside each other until a model or a person judges them."""

from __future__ import annotations

from ..memories import SqlMemories
from ..model.types import ACTIVE, MemoryItem, Scope
from ..query.cursor import place_of
from .results import ConflictDict, ConflictResults, memory_dict

MOST = 1_000
"""Conflicts that are told, the newest."""


async def conflicts_in(store: SqlMemories, scope: Scope) -> ConflictResults:
    """The newest memories of a scope that wait for a judgement. Raises StoreError."""
    found: list[ConflictDict] = []
    after = None
    while len(found) < MOST:
        waiting = await store.with_origin(scope, ['"pending":['], _waits, limit=MOST, after=after)
        named = sorted({name for item in waiting for name in item.provenance.pending})
        there = {item.id: item for item in await store.get(scope.tenant, named)}
        active = {
            name: item
            for name, item in there.items()
            if item.status in ACTIVE and scope.admits(item.scope)
        }
        found += [
            ConflictDict(memory=memory_dict(item), others=[memory_dict(one) for one in others])
            for item in waiting
            if (others := [active[name] for name in item.provenance.pending if name in active])
        ]
        if len(waiting) < MOST:
            break
        after = place_of(waiting[-1])
    return ConflictResults(results=found[:MOST])


def _waits(item: MemoryItem) -> bool:
    return bool(item.provenance.pending)
