"""Who gets a place when there are fewer than callers."""

import asyncio

from recollect.proxy.chat.waiting_line import WaitingLine
from tests.support.waiting import HANG_SECONDS


async def in_line(line, name, entered):
    if await line.enter(HANG_SECONDS):
        entered.append(name)


async def queued(line, *names):
    """Callers that wait, in this order, and the list of those that entered."""
    entered = []
    tasks = [asyncio.ensure_future(in_line(line, name, entered)) for name in names]
    await asyncio.sleep(0)
    return tasks, entered


async def test_the_newest_comes_first():
    """It has the most of its deadline left."""
    line = WaitingLine(1)
    assert await line.enter(0)
    tasks, entered = await queued(line, "first", "second", "third")
    for _ in tasks:
        line.leave()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert entered == ["third", "second", "first"]


async def test_a_place_that_was_not_free_in_time_is_not_taken():
    """Who gave up is passed over, and the place is free again."""
    line = WaitingLine(1)
    assert await line.enter(0)
    assert not await line.enter(0.001)
    line.leave()
    assert await line.enter(0)
    assert not await line.enter(0)


async def test_who_leaves_while_waiting_takes_no_place():
    """A client that disconnects is not served, nor is the place lost if it was just given."""
    line = WaitingLine(1)
    assert await line.enter(0)
    [gone, given], entered = await queued(line, "gone", "given")
    gone.cancel()
    line.leave()
    given.cancel()
    await asyncio.gather(gone, given, return_exceptions=True)
    assert entered == []
    assert await line.enter(0)


async def test_giving_up_at_the_moment_of_a_place_loses_none():
    """A wait that ends in the same round of the loop as a place becomes free."""
    line = WaitingLine(1)
    assert await line.enter(0)
    [late], _ = await queued(line, "late")
    late.cancel()
    await asyncio.sleep(0)
    line.leave()
    await asyncio.gather(late, return_exceptions=True)
    assert await line.enter(0)
