"""When a call may be made: the bound, and who is to blame for an ending."""

import asyncio
import logging

import pytest

from recollect.memory.model.errors import InvalidInputError, ScopeError, StoreError
from recollect.memory.util.breaker import MAX_PAUSE_SECONDS, Breaker
from recollect.proxy.chat.guard import ALIVE_SECONDS, BUSY, CIRCUIT_OPEN, Guard
from tests.support.clock import Clock
from tests.support.folding import rows
from tests.support.waiting import HANG_SECONDS


@pytest.fixture
def clock():
    return Clock()


async def within(guard, call, seconds=10.0, owner=None):
    """Run a call as the pipeline does; an ending by the deadline is a TimeoutError."""
    async with asyncio.timeout(seconds) as deadline:
        return await guard.run(call, deadline, owner)


def raising(error):
    async def call():
        raise error

    return call


async def fine():
    pass


async def hang():
    await asyncio.Event().wait()


async def late_after(clock, seconds):
    clock.now += seconds
    await asyncio.Event().wait()


async def test_a_part_that_answers_others_is_slow_and_not_dead(clock):
    """Late calls open nothing while there are answers."""
    breaker = Breaker(failures=1, seconds=5, clock=clock)
    guard = Guard(breaker, 10, clock=clock)
    for _ in range(20):
        await within(guard, fine)
        with pytest.raises(TimeoutError):
            await within(guard, lambda: late_after(clock, 0.4), 0.001)
    assert not breaker.is_open


async def test_calls_that_are_late_together_are_one_sign(clock):
    """Eight beside each other on a slow machine do not make it dead: as many after each other do."""
    breaker = Breaker(failures=3, seconds=5, clock=clock)
    guard = Guard(breaker, 8, clock=clock)
    ends = await asyncio.gather(
        *(within(guard, hang, 0.01) for _ in range(8)), return_exceptions=True
    )
    assert [type(end) for end in ends] == [TimeoutError] * 8
    assert not breaker.is_open
    for _ in range(2):
        clock.now += 0.4
        with pytest.raises(TimeoutError):
            await within(guard, hang, 0.001)
    assert breaker.is_open


async def test_a_part_that_answers_nobody_any_more_is_dead(clock):
    """Some time after its last answer a late call is a failure; one call is always let in."""
    breaker = Breaker(failures=1, seconds=5, clock=clock)
    guard = Guard(breaker, 1, clock=clock)
    await within(guard, fine)
    for _ in range(4):
        clock.now += ALIVE_SECONDS / 5
        with pytest.raises(TimeoutError):
            await within(guard, hang, 0.001)
    assert not breaker.is_open
    clock.now += ALIVE_SECONDS
    with pytest.raises(TimeoutError):
        await within(guard, hang, 0.001)
    assert breaker.is_open


@rows("error", [InvalidInputError("query", "text"), ScopeError("nobody")])
async def test_a_bad_request_says_nothing_about_the_part(clock, error):
    """It opens nothing, and as the probe it closes nothing."""
    breaker = Breaker(failures=1, seconds=5, clock=clock)
    guard = Guard(breaker, 4)
    with pytest.raises(type(error)):
        await within(guard, raising(error))
    assert not breaker.is_open
    breaker.failed(breaker.admit())
    clock.now += 5
    with pytest.raises(type(error)):
        await within(guard, raising(error))
    assert breaker.is_open
    assert await within(guard, fine) is None
    assert not breaker.is_open


@rows("probing", [False, True])
async def test_a_client_that_leaves_gives_back_what_it_had(clock, probing):
    """Its slot and the probe are free at once, and nothing is counted."""
    breaker = Breaker(failures=1, seconds=5, clock=clock)
    guard = Guard(breaker, 1)
    if probing:
        breaker.failed(breaker.admit())
        clock.now += 5
    leaving = asyncio.ensure_future(within(guard, hang))
    await asyncio.sleep(0)
    assert await within(guard, fine) is BUSY
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert breaker.is_open is probing
    assert await within(guard, fine) is None
    assert not breaker.is_open


async def test_others_wait_for_their_turn(clock):
    """For so long; one that leaves meanwhile holds nothing."""
    guard = Guard(Breaker(clock=clock), 1, wait_seconds=lambda: HANG_SECONDS)
    leave = asyncio.Event()
    first, second, third = (asyncio.ensure_future(within(guard, leave.wait)) for _ in range(3))
    await asyncio.sleep(0.01)
    second.cancel()
    leave.set()
    assert await asyncio.gather(first, third) == [None, None]
    assert second.cancelled()
    hasty = Guard(Breaker(clock=clock), 1, wait_seconds=lambda: 0.001)
    leave.clear()
    first = asyncio.ensure_future(within(hasty, leave.wait))
    await asyncio.sleep(0)
    assert await within(hasty, fine) is BUSY
    leave.set()
    assert await first is None


async def test_a_user_of_many_chats_waits_behind_himself(clock):
    """Fifty wait; the one of somebody else is the next but one."""
    guard, order = Guard(Breaker(clock=clock), 1, wait_seconds=lambda: HANG_SECONDS), []

    def noted(owner):
        async def call():
            order.append(owner)
            await asyncio.sleep(0)

        return within(guard, call, owner=owner)

    flood = [asyncio.ensure_future(noted("flood")) for _ in range(50)]
    await asyncio.sleep(0)
    assert await noted("neighbour") is None
    assert order.index("neighbour") <= 2
    assert await asyncio.gather(*flood) == [None] * 50


async def test_it_is_logged_once(clock, caplog):
    """One warning when it opens, one line when it closes; neither refusals nor failed probes."""
    caplog.set_level(logging.INFO, "recollect.proxy.chat.guard")
    guard = Guard(Breaker(failures=2, seconds=5, clock=clock), 4)
    for _ in range(4):  # two failures, and two failed probes
        with pytest.raises(StoreError):
            await within(guard, raising(StoreError("no")))
        if guard._breaker.is_open:
            assert await within(guard, fine) is CIRCUIT_OPEN
            clock.now += MAX_PAUSE_SECONDS
    for _ in range(3):
        assert await within(guard, fine) is None
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]
