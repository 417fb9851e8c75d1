"""Indexes of a store that other processes write to."""

import pytest

from recollect.memory.model.errors import StateError, StoreError
from recollect.memory.model.types import Scope
from recollect.memory.stores.inmemory import InMemoryStore
from tests.memory.learn.doubles import ALICE, BOB, Breaks
from tests.memory.recall.index.doubles import Lagging, Process, Spawner
from tests.memory.recall.memories import stored
from tests.support.folding import rows
from tests.support.versions import LocalVersions

OTHER = Scope(tenant="other", user_id="alice")


async def test_rebuilt_when_it_is_old():
    """With a shared store and nobody who tells of writes an index has an age, and then none."""
    process = Process(shared=True)
    assert await process.texts() == []
    await process.store._inner.put([stored("from elsewhere")])
    process.clock.now += 4
    assert await process.texts() == []
    process.clock.now += 2
    assert await process.texts() == ["from elsewhere"]


async def test_the_old_one_answers_meanwhile():
    """With somebody to run the build nobody waits for it; it is begun once."""
    spawner = Spawner()
    process = Process(shared=True, spawn=spawner)
    assert await process.texts() == []
    await process.store._inner.put([stored("from elsewhere")])
    process.clock.now += 6
    process.store.hold()
    assert [await process.texts() for _ in range(3)] == [[]] * 3
    await process.store.loading.wait()
    await process.put("mine")
    assert await process.texts() == ["mine"]
    process.store.release()
    await spawner.done()
    assert await process.texts() == ["from elsewhere", "mine"]
    assert process.store.loads == 2


async def test_a_refresh_that_fails_costs_nothing():
    """The old one goes on answering, and it is tried again."""
    spawner = Spawner()
    failing = Breaks(InMemoryStore(dim=2), "load", StoreError("gone"), times=0)
    process = Process(failing, shared=True, spawn=spawner)
    assert await process.texts() == []
    await failing.put([stored("from elsewhere")])
    process.clock.now += 6
    failing.left = 1
    assert await process.texts() == []
    await spawner.done()
    assert await process.texts() == []
    await spawner.done()
    assert await process.texts() == ["from elsewhere"]


def two_processes(store=None, **options):
    store, versions = store or InMemoryStore(dim=2), LocalVersions()
    return [Process(store, versions=versions, shared=True, **options) for _ in range(2)]


async def test_a_lagging_store_does_not_hide_what_another_process_wrote():
    """Whoever was told of a write sees it: the memories are read fresh then."""
    here, there = two_processes(Lagging(InMemoryStore(dim=2)))
    assert await there.texts() == []
    await here.put("tea")
    assert await there.texts() == ["tea"]


async def test_ones_own_writes_are_no_reason_to_load():
    """An index that knows all writes but one's own knows all; another one's write does count."""
    here, there = two_processes()
    await here.texts()
    for text in "abc":
        await here.put(text)
    await here.indexed.delete(ALICE.tenant, ["a"])
    assert await here.texts() == ["b", "c"]
    assert here.store.loads == 1
    await there.put("d")
    await here.put("e")
    assert await here.texts() == ["b", "c", "d", "e"]
    assert here.store.loads == 2


async def test_another_ones_writes_to_somebody_else_are_no_reason_to_load():
    """Versions are counted for each user."""
    here, there = two_processes()
    await here.put("tea", scope=BOB)
    await here.texts()
    await there.put("tea too", scope=BOB)
    await there.indexed.delete(BOB.tenant, ["tea"])
    await here.texts()
    assert here.store.loads == 1
    await here.put("mine", id="1")
    await there.texts()
    await there.hot.erased(OTHER.tenant, ["1"], [OTHER])
    assert await here.texts() == ["mine"]
    assert here.store.loads == 1


@rows("method", ["current", "bump"])
async def test_versions_that_cannot_be_read(method):
    """Nobody is answered from an index that may be outdated; the caller is told."""
    versions = Breaks(LocalVersions(), method, StateError("gone"))
    process = Process(versions=versions)
    with pytest.raises(StateError):
        await (process.put("tea") if method == "bump" else process.texts())
    if method == "current":
        await process.put("tea")
    assert await process.texts() == ["tea"]
