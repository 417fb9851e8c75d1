"""Reads that no single scope bounds."""

from datetime import UTC, datetime

import numpy as np

from recollect.memory.model.types import MemoryStatus, MemoryType, Scope
from recollect.memory.model.wide import Counted, ScopeCount, scanned, walked
from tests.memory.stores.memories import memory
from tests.support.parts import engine_of


async def test_every_memory_is_in_one_page():
    """In the order of ids, of every tenant, from any id on; an empty store has no page."""
    engine = engine_of()
    store = engine.parts.store
    unit = np.eye(1, engine.parts.embedder.dim, dtype=np.float32)[0]
    assert [page async for page in scanned(store, page=2)] == []
    for name in "bdaec":
        scope = Scope(tenant=f"tenant {name}", user_id="u")
        await store.put([memory(scope, id=name, at=unit)])
    pages = [[each.item.id for each in page] async for page in scanned(store, page=2)]
    assert pages == [["a", "b"], ["c", "d"], ["e"]]
    later = [[each.item.id for each in page] async for page in scanned(store, page=9, after="c")]
    assert later == [["d", "e"]]


async def test_an_owners_memories_are_walked_alone():
    """Those of a tenant or of a scope, in the order of ids, from any id on."""
    engine = engine_of()
    store = engine.parts.store
    unit = np.eye(1, engine.parts.embedder.dim, dtype=np.float32)[0]
    for number, name in enumerate("bdaecf"):
        scope = Scope(tenant=f"tenant {number % 2}", user_id=f"u{number // 2}")
        await store.put([memory(scope, id=name, at=unit)])
    pages = [[item.id for item in page] async for page in walked(store, "tenant 0", page=2)]
    assert pages == [["a", "b"], ["c"]]
    own = Scope(tenant="tenant 1", user_id="u1")
    assert [[item.id for item in page] async for page in walked(store, own, page=2)] == [["e"]]
    assert [page async for page in walked(store, own, page=2, after="e")] == []


def test_counts_of_scopes_are_joined():
    """The earliest and the latest time, and the sum of what was counted."""
    early, late = (datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2))
    tally, scope = Counted(), Scope(tenant="t", user_id="u")
    tally.see(scope, late, late, (MemoryType.SEMANTIC, MemoryStatus.ACTIVE))
    tally.see(scope, early, early, (MemoryType.SEMANTIC, MemoryStatus.SUPERSEDED))
    [counted] = tally.scopes.values()
    assert counted == ScopeCount(early, late, rows=2, active=1)
    assert (tally.kinds.total(), tally.days) == (2, {late.date(): 1})
    assert counted.with_those_of(counted) == ScopeCount(early, late, rows=4, active=2)
