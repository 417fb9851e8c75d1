"""The warm users' indexes."""

import asyncio

import numpy as np
import pytest

from recollect.memory.model.errors import StateError, StoreError
from recollect.memory.model.types import Scope, StoredMemory
from recollect.memory.model.usage import Usage, UseKind
from recollect.memory.recall.index import hot_indexes
from recollect.memory.recall.index.hot_indexes import (
    AT_A_TIME,
    FIRST_PAGE,
    LARGE_AGAIN_SECONDS,
)
from recollect.memory.records.writing import WrittenChange
from tests.memory.learn.doubles import ALICE, BOB, NOON, Breaks
from tests.memory.recall.index.doubles import CHANGES, Process, Spawner, change
from tests.memory.recall.memories import item, stored
from tests.support.folding import rows
from tests.support.memories import InMemoryMemories
from tests.support.parts import parts_of

OTHER = Scope(tenant="other", user_id="alice")


async def test_many_ask_at_once():
    """Whoever asks while an index is built waits for it; it is built once."""
    process = Process()
    await process.put("tea")
    process.store.hold()
    asking = asyncio.gather(*[process.texts() for _ in range(10)], process.texts(BOB))
    await process.store.loading.wait()
    process.store.release()
    assert await asking == [["tea"]] * 10 + [[]]
    assert process.store.loads == 2


@rows("spawner", [None, Spawner])
async def test_a_load_that_fails(spawner):
    """All who wait are told; whoever asks next has it tried again."""
    failing = Breaks(InMemoryMemories(dim=2), "load", StoreError("gone"))
    process = Process(failing, spawn=spawner and spawner())
    await process.put("tea")
    process.store.hold()
    asking = asyncio.gather(*[process.texts() for _ in range(3)], return_exceptions=True)
    await process.store.loading.wait()
    process.store.release()
    assert [type(outcome) for outcome in await asking] == [StoreError] * 3
    assert await process.texts() == ["tea"]


async def test_a_build_outlives_who_began_it():
    """With somebody to run it, giving up costs nobody the work that is done."""
    spawner = Spawner()
    process = Process(spawn=spawner)
    await process.put("tea")
    process.store.hold()
    first, second = asyncio.ensure_future(process.texts()), asyncio.ensure_future(process.texts())
    await process.store.loading.wait()
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    assert first.cancelled()
    process.store.release()
    assert await second == ["tea"]
    assert await process.texts() == ["tea"]
    assert process.store.loads == 1


async def test_a_build_that_dies_with_its_caller_is_begun_anew():
    """Without anybody to run it, the next of those who wait does it; none of them is cancelled."""
    process = Process()
    await process.put("tea")
    process.store.hold()
    asking = [asyncio.ensure_future(process.texts()) for _ in range(4)]
    await process.store.loading.wait()
    process.store.loading.clear()
    asking[0].cancel()
    await process.store.loading.wait()
    asking[2].cancel()
    await asyncio.sleep(0)
    process.store.release()
    outcomes = await asyncio.gather(*asking, return_exceptions=True)
    assert [asking[0].cancelled(), asking[2].cancelled()] == [True, True]
    assert [outcomes[1], outcomes[3]] == [["tea"]] * 2
    assert process.store.loads == 2


@rows("what", CHANGES)
@rows("spawner", [None, Spawner])
async def test_writes_while_it_loads(what, spawner):
    """A write that comes when the memories were read already is in the index all the same."""
    process = Process(spawn=spawner and spawner())
    await process.put("tea")
    process.clock.now += 100
    process.store.hold()
    asking = asyncio.ensure_future(process.texts())
    await process.store.loading.wait()
    expected = await change(process, what)
    process.store.release()
    assert await asking == expected
    assert await process.texts() == expected


async def test_a_reset_while_it_loads():
    """What was read before is kept for nobody, nor told to anybody who asks afterwards."""
    process = Process()
    await process.put("tea")
    process.store.hold()
    asking = asyncio.ensure_future(process.texts())
    await process.store.loading.wait()
    await change(process, "reset")
    later = asyncio.ensure_future(process.texts())
    await asyncio.sleep(0)
    process.store.release()
    await asking
    assert await later == []
    assert await process.texts() == []
    assert not process.hot._building


async def test_an_id_of_another_tenant_is_another_memory():
    """A write in one tenant never removes what another one has under the same id."""
    process = Process()
    await process.put("tea", id="1")
    assert await process.texts() == ["tea"]
    await process.hot.committed(WrittenChange(put=[stored("theirs", OTHER, id="1")]))
    await process.hot.committed(WrittenChange(removed=[stored("theirs", OTHER, id="1").item]))
    assert await process.texts() == ["tea"]
    # Nor while it is built, or when what was written before is told again.
    await process.hot.uncertain({ALICE.tenant})
    process.store.hold()
    asking = asyncio.ensure_future(process.texts())
    await process.store.loading.wait()
    await process.hot.committed(WrittenChange(removed=[stored("theirs", OTHER, id="1").item]))
    process.store.release()
    assert await asking == ["tea"]


async def test_agents_and_runs_have_indexes_of_their_own():
    """Who asks without a user finds what any user said there, and reads later writes at once."""
    process = Process()
    agent = Scope(tenant="local", agent_id="x")
    run = Scope(tenant="local", agent_id="x", run_id="r")
    both = Scope(tenant="local", user_id="alice", agent_id="x", run_id="r")
    await process.put("in the run", scope=both)
    await process.put("of the agent", scope=agent)
    for scope in (ALICE, agent, run, both):
        await process.texts(scope)
    await process.put("later", scope=both)
    assert await process.texts(ALICE) == ["in the run", "later"]
    assert await process.texts(agent) == ["in the run", "later", "of the agent"]
    assert await process.texts(run) == ["in the run", "later"]
    assert await process.texts(both) == ["in the run", "later"]
    await process.indexed.delete("local", ["in the run"])
    for scope in (ALICE, run, both):
        assert await process.texts(scope) == ["later"]
    assert process.store.loads == 3


async def test_too_many_memories():
    """Nobody waits for an index that would be too large; a minute later it is tried again."""
    process = Process(max_memories=3)
    await process.put("1", "2", "3")
    assert await process.texts() == ["1", "2", "3"]
    await process.hot.uncertain({ALICE.tenant})
    await process.put("4")
    assert await process.hot.get(ALICE) is None
    loads = process.store.loads
    await process.indexed.delete(ALICE.tenant, ["1"])
    assert await process.hot.get(ALICE) is None
    assert process.store.loads == loads
    process.clock.now += LARGE_AGAIN_SECONDS + 1
    assert await process.texts() == ["2", "3", "4"]


@rows("more, found", [(-1, True), (0, True), (1, True), (2, False)])
async def test_more_than_a_page(more, found):
    """However many pages there are, all are loaded up to the bound and none beyond it."""
    process = Process(max_memories=FIRST_PAGE + 1)
    number = FIRST_PAGE + more
    await process.store._inner.put([stored("tea", id=f"{n}") for n in range(number)])
    index = await process.hot.get(ALICE)
    assert (index is not None) == found
    assert index is None or len(index) == number


HEAVY = 1536


def heavy(scope, memories):
    """So many memories of some 3 KB."""
    vector = np.zeros(HEAVY, np.float32)
    vector[0] = 1
    return [
        StoredMemory(item("tea", scope, id=f"{scope.user_id} {n}"), vector) for n in range(memories)
    ]


def user(number):
    return Scope(tenant="local", user_id=f"user {number}")


async def test_bounded_by_bytes():
    """All indexes together stay within the bound; the ones not used for longest go first."""
    process = Process(max_bytes=2**20, dim=HEAVY)
    for number in range(12):
        await process.store.put(heavy(user(number), 40))
    for number in range(12):
        await process.hot.get(user(number))
        await process.hot.get(user(0))
        assert process.hot.nbytes <= 2**20
    kept = len(process.hot)
    assert 1 < kept < 12
    loads = process.store.loads
    await process.hot.get(user(0))
    await process.hot.get(user(11))
    assert process.store.loads == loads
    await process.hot.get(user(1))
    assert process.store.loads == loads + 1


async def test_of_two_large_writes_the_later_stays():
    """However often the loop turns in between."""
    process = Process()
    await process.texts()
    many = 3 * AT_A_TIME
    writes = [[stored(f"{which} {n}", id=f"{n}") for n in range(many)] for which in "ab"]
    for write in writes:
        await process.store.put(write)
    await asyncio.gather(*(process.hot.committed(WrittenChange(one)) for one in writes))
    assert {text[0] for text in await process.texts()} == {"b"}
    assert process.store.loads == 1


async def test_a_large_write_that_is_cancelled_is_looked_up():
    """Some of it is in the index and some is not: what the store says counts."""
    process = Process()
    await process.texts()
    memories = [stored(f"{n}") for n in range(3 * AT_A_TIME)]
    await process.store.put(memories)
    writing = asyncio.ensure_future(process.hot.committed(WrittenChange(memories)))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert len(await process.texts()) == len(memories)
    assert process.store.loads == 2


class TestUsage:
    """Counters are read when an index is built, and now and then beside requests."""

    async def test_a_build_reads_them(self):
        """And an index in use reads them again after a while."""
        spawner = Spawner()
        process = Process(spawn=spawner)
        process.hot.counters = usage = parts_of().state.usage
        await process.put("tea")
        await usage.count(ALICE.tenant, UseKind.NEGATIVE, ["tea"], occasion="a", at=NOON)
        first = await process.hot.get(ALICE)
        assert first.rating[first.alive].tolist() == [Usage(negative=1).rating]
        await usage.count(ALICE.tenant, UseKind.NEGATIVE, ["tea"], occasion="b", at=NOON)
        for later, votes in ((hot_indexes.USAGE_SECONDS - 1, 1), (2, 2)):
            process.clock.now += later
            assert await process.hot.get(ALICE) is first
            await spawner.done()
            assert first.rating[first.alive].tolist() == [Usage(negative=votes).rating]

    async def test_what_is_told_counts_at_once(self):
        """In this process, in every index that holds the scope; nothing is loaded for it."""
        process = Process()
        await process.put("tea")
        process.hot.note_usage(ALICE, {"tea": Usage(negative=2)})
        index = await process.hot.get(ALICE)
        assert index.rating[index.alive].tolist() == [0]
        process.hot.note_usage(ALICE, {"tea": Usage(negative=2), "gone": Usage(negative=2)})
        process.hot.note_usage(BOB, {"tea": Usage(negative=9)})
        assert index.rating[index.alive].tolist() == [-0.5]

    async def test_without_them_memories_are_found(self):
        """A state that does not answer costs no recall."""

        class Broken:
            async def of(self, *_):
                raise StateError("nobody there")

        process = Process()
        process.hot.counters = Broken()
        await process.put("tea")
        assert await process.texts() == ["tea"]
