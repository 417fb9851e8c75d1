"""Indexes of a store that other processes write to, and what was superseded in it."""

import pytest

from recollect.memory.model.errors import StateError, StoreError
from recollect.memory.model.types import MemoryStatus, Scope
from recollect.memory.recall.index.hot import FEW_SUPERSEDED
from recollect.memory.records.writing import WrittenChange
from tests.memory.learn.doubles import ALICE, BOB, Breaks
from tests.memory.recall.index.doubles import Process, Spawner
from tests.memory.recall.memories import stored
from tests.support.folding import rows
from tests.support.memories import InMemoryMemories
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
    failing = Breaks(InMemoryMemories(dim=2), "load", StoreError("gone"), times=0)
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
    store, versions = store or InMemoryMemories(dim=2), LocalVersions()
    return [Process(store, versions=versions, shared=True, **options) for _ in range(2)]


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
    gone = stored("theirs", OTHER, id="1").item
    await there.hot.committed(WrittenChange(removed=[gone]))
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


class TestSuperseded:
    """What was superseded, which questions about the past ask for."""

    async def found(self, process, scope=ALICE, most=100):
        return sorted(one.text for one in await process.hot.superseded(scope, most=most))

    async def warm(self, *old, scope=ALICE):
        """A process with an active memory, some superseded ones, and an index that is no news."""
        process = Process()
        await process.put("tea", scope=scope)
        if old:
            await process.put(*old, scope=scope, status=MemoryStatus.SUPERSEDED)
        await process.texts(scope)
        return process

    async def test_it_is_read_once(self):
        """For all who ask in the same index, each sees its own; for a cold user from the store."""
        process = await self.warm("coffee")
        agent = Scope(tenant="local", user_id="alice", agent_id="x")
        assert [await self.found(process) for _ in range(3)] == [["coffee"]] * 3
        assert await self.found(process, agent) == []
        assert process.store.lists == 1
        assert await self.found(process, BOB) == []
        assert process.store.lists == 2

    @pytest.mark.parametrize("how", ["superseded", "erased", "active again"])
    async def test_a_change_counts_at_once(self, how):
        """Whatever becomes superseded, is so no more, or is erased."""
        process = await self.warm("coffee")
        await self.found(process)
        if how == "superseded":
            await process.put("tea", status=MemoryStatus.SUPERSEDED)
        elif how == "erased":
            await process.indexed.delete(ALICE.tenant, ["coffee"])
        else:
            await process.put("coffee")
        expected = {"superseded": ["coffee", "tea"], "erased": [], "active again": []}
        assert await self.found(process) == expected[how]

    async def test_a_write_meanwhile_is_not_missed(self):
        """What was read before it is not kept."""
        process = await self.warm("coffee")
        reading = process.store.list

        async def slow(*args, **named):
            found = await reading(*args, **named)
            await process.put("tea", status=MemoryStatus.SUPERSEDED)
            return found

        process.store.list = slow
        assert await self.found(process) == ["coffee"]
        process.store.list = reading
        assert await self.found(process) == ["coffee", "tea"]

    async def test_many_are_not_kept(self):
        """They would take room that nobody counts; and no more come than are asked for."""
        process = await self.warm(*(f"c{number:02}" for number in range(FEW_SUPERSEDED + 1)))
        for _ in range(2):
            assert len(await self.found(process)) == FEW_SUPERSEDED + 1
        assert process.store.lists == 2
        assert len(await self.found(process, most=3)) == 3
