"""The superseded memories of the warm users."""

import pytest

from recollect.memory.model.types import MemoryStatus, Scope
from recollect.memory.recall.index.hot import FEW_SUPERSEDED, INVISIBLE_SECONDS
from tests.memory.learn.doubles import ALICE, BOB
from tests.memory.recall.index.doubles import Process


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
        process.clock.now += INVISIBLE_SECONDS + 1
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

    async def test_what_a_store_may_not_show_yet_is_asked_again(self):
        """After a write, and in a new index, for as long as a server may be behind."""
        process = await self.warm()
        await process.put("coffee", status=MemoryStatus.SUPERSEDED)
        for _ in range(3):
            await self.found(process)
        assert process.store.lists == 3
        process.clock.now += INVISIBLE_SECONDS + 1
        for _ in range(3):
            await self.found(process)
        assert process.store.lists == 4

    async def test_a_write_meanwhile_is_not_missed(self):
        """What was read before it is not kept."""
        process = await self.warm("coffee")
        reading = process.store.list

        async def slow(*args, **named):
            found = await reading(*args, **named)
            await process.put("tea", status=MemoryStatus.SUPERSEDED)
            process.clock.now += INVISIBLE_SECONDS + 1
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
