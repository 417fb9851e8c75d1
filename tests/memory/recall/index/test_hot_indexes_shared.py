"""Indexes of a store that other processes write to, and what was superseded in it."""

import asyncio
from unittest.mock import AsyncMock

import pytest

from recollect.memory.database.changes import SqlChanges
from recollect.memory.model.errors import StateError
from recollect.memory.model.types import MemoryStatus, Scope
from recollect.memory.recall.index.hot_indexes import FEW_SUPERSEDED
from tests.memory.learn.doubles import ALICE, BOB
from tests.memory.recall.index.doubles import Process
from tests.support.memories import InMemoryMemories
from tests.support.sharing import log_over
from tests.support.state import in_memory_scripts

OTHER = Scope(tenant="other", user_id="alice")


def processes(count=2, most=1000):
    """Some that share a database, each with a log of its own writes and those of others."""
    scripts = in_memory_scripts()
    made = []
    for _ in range(count):
        log = log_over(scripts)
        store = InMemoryMemories(dim=2, scripts=scripts, writer=log.name)
        made.append(Process(store, log=log, max_memories=most))
    return made


async def test_ones_own_writes_are_no_reason_to_load():
    """An index that knows all writes but one's own knows all; another one's write does count."""
    here, there = processes()
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
    """Each user's are read for themselves."""
    here, there = processes()
    await here.put("tea", scope=BOB)
    await here.texts()
    await there.put("tea too", scope=BOB)
    await there.indexed.delete(BOB.tenant, ["tea"])
    await here.texts()
    assert here.store.loads == 1
    await here.put("mine")
    await there.put("theirs", scope=OTHER)
    await there.indexed.reset(OTHER.tenant)
    assert await here.texts() == ["mine"]
    assert here.store.loads == 1


async def test_what_another_one_writes_while_an_index_is_built():
    """Whoever asks then reads it; the index that was being built is not kept."""
    here, there = processes()
    await here.put("old")
    here.store.hold()
    asking = asyncio.ensure_future(here.texts())
    await here.store.loading.wait()
    await there.indexed.delete(ALICE.tenant, ["old"])
    later = asyncio.ensure_future(here.texts())
    await asyncio.sleep(0)
    here.store.release()
    await asking
    assert await later == []
    assert await here.texts() == []


async def test_a_log_that_cannot_be_read(monkeypatch):
    """Nobody is answered from an index that may be outdated; the caller is told."""
    here, _ = processes()
    await here.put("tea")
    assert await here.texts() == ["tea"]
    with monkeypatch.context() as down:
        down.setattr(SqlChanges, "after", AsyncMock(side_effect=StateError("gone")))
        with pytest.raises(StateError):
            await here.texts()
    assert await here.texts() == ["tea"]


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
