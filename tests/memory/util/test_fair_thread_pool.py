"""Long computations: off the loop, bounded, one at a time for each owner."""

from __future__ import annotations

import asyncio
import threading

import pytest

from recollect.memory.util.fair_thread_pool import FairThreadPool
from tests.support.waiting import HANG_SECONDS, until


@pytest.fixture
def bulk():
    bulk = FairThreadPool(2)
    yield bulk
    bulk.close()


async def test_work_runs_in_a_thread_and_gives_its_result(bulk):
    """Also its error."""
    assert await bulk.run("ann", threading.current_thread) is not threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        await bulk.run("ann", lambda: 1 // 0)


async def test_an_owner_waits_behind_himself_and_nobody_else_does(bulk):
    """Of two threads one is left for others, however much one owner asks for."""
    go_on, running, most = threading.Event(), [], []

    def work():
        running.append(1)
        most.append(len(running))
        assert go_on.wait(HANG_SECONDS)
        running.pop()

    mine = [asyncio.ensure_future(bulk.run("ann", work)) for _ in range(5)]
    await until(lambda: running, "the first work")
    assert await bulk.run("bob", lambda: "at once") == "at once"
    assert len(running) == 1
    go_on.set()
    await asyncio.gather(*mine)
    assert max(most) == 1


async def test_who_gives_up_leaves_the_work_running(bulk):
    """A deadline ends the wait; the owner's next work begins when the first is really over."""
    go_on, ended = threading.Event(), threading.Event()

    def slow():
        assert go_on.wait(HANG_SECONDS)
        ended.set()

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await bulk.run("ann", slow)
    later = asyncio.ensure_future(bulk.run("ann", ended.is_set))
    await asyncio.sleep(0.01)
    assert not later.done()
    go_on.set()
    assert await later


async def test_whoever_waits_and_is_cancelled_holds_nobody_up(bulk):
    """Cancelled before its turn came."""
    go_on = threading.Event()
    first = asyncio.ensure_future(bulk.run("ann", lambda: go_on.wait(HANG_SECONDS)))
    second = asyncio.ensure_future(bulk.run("ann", lambda: None))
    await asyncio.sleep(0.01)
    second.cancel()
    go_on.set()
    assert await first
    assert await bulk.run("ann", lambda: "free") == "free"
