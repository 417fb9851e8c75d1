"""An index becomes like the database, whatever happens to it."""

import asyncio
import contextlib
import logging
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recollect.memory.index import ExactIndexOptions, IndexFollower, OwnMarks, open_index
from recollect.memory.index import follower as following
from recollect.memory.index.port import IndexFilter, IndexMark
from recollect.memory.model.errors import StateError, StoreError
from tests.memory.index.world import NEVER, VECTOR, World
from tests.support.budget import examples
from tests.support.clock import Stepped
from tests.support.waiting import until

PAGE, LINES = 3, 2
"""Rows of a page, and lines that are read at once, in these tests."""


@pytest.fixture(autouse=True)
def small_steps(monkeypatch):
    monkeypatch.setattr(following, "PAGE_ROWS", PAGE)
    monkeypatch.setattr(following, "_LINES", LINES)


async def finish(follower, clock):
    """Let it work until there is nothing to do."""
    for _ in range(300):
        try:
            if not await follower.step():
                return
        except (StoreError, StateError) as error:
            await follower._failed(error)
        clock.now += 1
    raise AssertionError("it never ends")


class TestFollowing:
    async def test_a_new_index_is_filled_and_then_follows(self):
        """What is written while it is filled is in it too, and what is removed is not."""
        world = World()
        world.database.put(*range(1, 11))
        follower = world.follower()
        assert await follower.step()
        assert str(follower.state) == "filling: 3 of 10 memories"
        world.database.put(2, 11)
        world.database.remove(1, 9)
        await finish(follower, world.clock)
        assert world.server.versions() == world.database.there
        assert str(follower.state) == "ready"
        world.database.put(5)
        world.database.remove(6)
        await finish(follower, world.clock)
        assert world.server.versions() == world.database.there
        assert world.server.drops == 1

    async def test_filling_goes_on_where_it_stopped(self):
        """A restart in the middle puts no page a second time."""
        world = World()
        world.database.put(*range(1, 11))
        first = world.follower()
        assert await first.step()
        await first.close()
        second = world.follower()
        assert await second.step()
        assert str(second.state) == "filling: 6 of 10 memories"
        await finish(second, world.clock)
        assert (world.server.drops, world.server.versions()) == (1, world.database.there)

    async def test_it_notices_that_it_is_empty_though_nobody_searches(self):
        """It looks now and then."""
        world = World()
        world.database.put(1)
        follower = world.follower()
        await finish(follower, world.clock)
        world.server.rows = None
        world.clock.now += following._PING_SECONDS
        await finish(follower, world.clock)
        assert world.server.versions() == world.database.there

    @pytest.mark.parametrize("how", ["pruned", "far", "restored"])
    async def test_one_that_is_too_far_behind_is_filled_anew(self, how, monkeypatch):
        """The log begins later, is very long, or ends earlier: the database was restored."""
        world = World()
        world.database.put(1, 2)
        follower = world.follower()
        await finish(follower, world.clock)
        world.database.put(3)
        if how == "pruned":
            world.database.prune()
        elif how == "far":
            monkeypatch.setattr(following, "_MOST_BEHIND", 0)
        else:
            world.database.lines.clear()
        await finish(follower, world.clock)
        assert world.server.versions() == world.database.there
        assert world.server.drops == 2

    async def test_only_one_fills_it(self):
        """Another process searches meanwhile, and takes over when the first one is gone."""
        world = World()
        world.database.put(*range(1, 11))
        first, second = world.follower(), world.follower()
        assert await first.step()
        assert not await second.step()
        assert (second.state.word, world.server.puts) == ("filling", 1)
        await finish(first, world.clock)
        assert not await second.step()
        assert second.state.word == "ready"
        assert len(await second.search(VECTOR, IndexFilter(1), limit=99)) == 10
        world.database.put(11)
        assert not await second.step()
        world.clock.now += following._TURN_SECONDS
        await finish(second, world.clock)
        assert world.server.versions() == world.database.there

    async def test_it_takes_over_where_the_other_one_is(self):
        """Not where the other one was when it looked, a moment before the turn was its own."""
        world = World()
        world.database.put(*range(1, 11))
        first, second = world.follower(), world.follower()
        assert await first.step()
        lead = world.database.lead

        async def late(*arguments, **options):
            world.database.lead = lead
            await finish(first, world.clock)
            world.clock.now += following._TURN_SECONDS
            return await lead(*arguments, **options)

        world.database.lead = late
        await finish(second, world.clock)
        assert world.server.puts == 4

    async def test_few_memories_need_no_index(self):
        """It is not opened for them: it costs a process, and nobody would ask it."""
        world = World()
        world.database.put(1, 2)
        follower = world.follower(least=3)
        await finish(follower, world.clock)
        assert (world.server.opened, follower.state.word) == (0, "resting")
        with pytest.raises(StoreError, match="resting"):
            await follower.search(VECTOR, IndexFilter(1), limit=9)
        world.database.put(3)
        await finish(follower, world.clock)
        assert world.server.versions() == world.database.there
        world.database.remove(1)
        await finish(follower, world.clock)
        assert world.server.versions() == world.database.there

    async def test_an_index_in_the_process_is_filled_at_each_start(self):
        """Its marks are those of the process, whatever the database says of another one."""
        for _ in range(2):
            world = World()
            world.database.put(*range(1, 11))
            world.database.marks["index"] = IndexMark(1)
            opens = partial(open_index, ExactIndexOptions(), name="own", dim=2)
            marks = OwnMarks()
            follower = IndexFollower(world.database, marks, opens, name="index")
            await finish(follower, world.clock)
            assert await marks.mark("index") == IndexMark(1)
            assert len(await follower.search(VECTOR, IndexFilter(1), limit=99)) == 10
            await follower.close()
            assert await marks.mark("index") is None


class TestFailures:
    async def test_one_that_fails_is_asked_by_nobody(self):
        """Searches are exact at once, instead of waiting for a server that is away."""
        world = World()
        world.database.put(1)
        follower = world.follower()
        await finish(follower, world.clock)
        world.server.failures = ["away"] * 2
        with pytest.raises(StoreError):
            await follower.search(VECTOR, IndexFilter(1), limit=9)
        with pytest.raises(StoreError, match="ready"):
            await follower.search(VECTOR, IndexFilter(1), limit=9)
        assert world.server.failures == ["away"]

    async def test_it_is_tried_again_after_longer_and_longer_pauses(self):
        """Of half a minute at most; what it says in `/readyz` names the failure."""
        world, clock = World(), Stepped()
        world.clock = clock
        world.server.failures = ["away"] * 9
        follower = world.follower()
        task = asyncio.ensure_future(follower.run())
        pauses = []
        for _ in range(9):
            await until(lambda: clock._sleepers)
            [(at, _)] = clock._sleepers
            pauses.append(at - clock.monotonic())
            assert str(follower.state) == "down: away"
            clock._passed = at
            clock._sleepers[0][1].set_result(None)
            await asyncio.sleep(0)
        await until(lambda: follower.state.word == "ready")
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert pauses == [1, 2, 4, 8, 16, 30, 30, 30, 30]

    async def test_a_change_is_followed_at_once(self):
        """Whoever writes wakes it, here or in another process: it need not look by itself."""
        world = World()
        world.clock = Stepped()
        follower = world.follower()
        task = asyncio.ensure_future(follower.run())
        await until(lambda: follower.state.word == "ready")
        world.database.put(1)
        await follower.committed(None)
        await until(lambda: world.server.versions() == {1: 1})
        world.database.put(2)
        follower.heard(None)
        await until(lambda: world.server.versions() == {1: 1, 2: 1})
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await follower.close()
        assert world.database.turns == {}

    async def test_one_that_is_needed_later_is_opened_then(self):
        """Where nobody else writes it looks rarely, but soon after a write of this process."""
        world = World()
        world.clock = clock = Stepped()
        world.database.put(1)
        follower = world.follower(least=3, alone=True)
        task = asyncio.ensure_future(follower.run())
        await clock.slept(following._PING_SECONDS)
        assert world.server.rows is None
        world.database.put(2, 3)
        await follower.committed(None)
        await clock.slept(following._LOOK_SECONDS)
        await until(lambda: world.server.versions() == world.database.there)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    async def test_what_it_does_is_in_the_log(self, caplog):
        """When filling begins and ends, and how far it is; that it is down, once."""
        caplog.set_level(logging.INFO, "recollect.memory.index")
        world = World()
        world.database.put(*range(1, 13))
        follower = world.follower()
        world.server.failures = ["away", "away"]
        for _ in range(2):
            with pytest.raises(StoreError) as failure:
                await follower.step()
            await follower._failed(failure.value)
        while await follower.step():
            world.clock.now += 2
        assert caplog.messages == [
            "index: it is down, memories are compared one by one: away",
            "index: filling it, 0 of 12 memories are in it",
            "index: 12 of 12 memories",
            "index: filled with 12 memories in 8.0 s",
        ]


SOME = st.lists(st.integers(1, 8), min_size=1, max_size=4)
STEP = st.tuples(st.just("step"), st.integers(0, 1))
FUSED = st.tuples(st.just("fused"), st.tuples(st.integers(0, 1), st.integers(0, 12), st.booleans()))
WRITE = st.tuples(st.sampled_from(["put", "put", "remove"]), SOME)
REST = st.tuples(st.sampled_from(["lose", "prune", "wait", "wait"]), st.none())
STEPS = st.lists(st.one_of(STEP, STEP, FUSED, WRITE, WRITE, REST), min_size=4, max_size=40)


@settings(max_examples=examples(300))
@given(STEPS)
@example([("put", [1, 2]), ("step", 0), ("fused", (0, 5, True)), ("wait", None), ("step", 1)])
def test_index_and_database_are_one_in_the_end(steps):
    """Two followers, either of which may end between any two calls of a step, in any order.

    At every moment a complete index misses only what the log tells after its mark.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(following, "PAGE_ROWS", 2)
        patch.setattr(following, "_LINES", 1)
        asyncio.run(_happen(steps))


async def _happen(steps):
    world = World()
    followers = [world.follower(), world.follower()]
    for what, which in steps:
        match what:
            case "put":
                world.database.put(*which)
            case "remove":
                world.database.remove(*which)
            case "step":
                await _step(followers[which])
            case "fused":
                number, world.fuse.left, world.fuse.after = which
                await _step(followers[number])
                if world.fuse.left < 0:  # it was killed in the middle
                    followers[number] = world.follower()
                world.fuse.left = NEVER
            case "lose":
                world.server.rows = None
            case "prune":
                world.database.prune()
            case "wait":
                world.clock.now += following._TURN_SECONDS + 1
        _check(world)
    for follower in followers:
        world.clock.now += following._TURN_SECONDS + 1
        await finish(follower, world.clock)
    assert world.server.versions() == world.database.there
    assert all(follower.state.word == "ready" for follower in followers)
    for follower in followers:
        await follower.close()


async def _step(follower):
    try:
        await follower.step()
    except (StoreError, StateError) as error:
        await follower._failed(error)


def _check(world):
    mark = world.database.marks.get("index")
    if mark is None or mark.position is not None or world.server.rows is None:
        return
    if mark.seq < world.database.begins:
        return
    later = {
        each for line in world.database.lines if line.seq > mark.seq for each in line.positions
    }
    indexed = world.server.versions()
    assert {k: v for k, v in indexed.items() if k not in later} == {
        k: v for k, v in world.database.there.items() if k not in later
    }
