"""Pieces of work begin one in each round of the loop."""

import asyncio

from recollect.proxy.chat.rounds import OnePerRound
from tests.support.waiting import HANG_SECONDS


async def begun_in(rounds, callers):
    """The rounds of the loop, by number, in which so many callers began that came together."""
    loop, now, seen = asyncio.get_running_loop(), [0], []

    def tick():
        now[0] += 1
        if len(seen) < callers:
            loop.call_soon(tick)

    async def work():
        await rounds.turn(HANG_SECONDS)
        seen.append(now[0])

    loop.call_soon(tick)
    await asyncio.gather(*(work() for _ in range(callers)))
    return seen


async def test_no_two_begin_in_one_round():
    """What else the loop has to do waits for one of them, however many arrive together."""
    seen = await begun_in(OnePerRound(), 6)
    assert len(set(seen)) == 6


async def test_who_comes_alone_does_not_wait():
    """It begins in the round in which it came, and so does the next one, a round later."""
    rounds = OnePerRound()
    for _ in range(3):
        assert list(rounds.turn(HANG_SECONDS).__await__()) == []
        await asyncio.sleep(0)


async def test_who_gave_up_is_passed_over():
    """A client that disconnects while it waits holds up nobody."""
    rounds = OnePerRound()
    tasks = [asyncio.ensure_future(rounds.turn(HANG_SECONDS)) for _ in range(3)]
    await asyncio.sleep(0)
    tasks[1].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert [task.cancelled() for task in tasks] == [False, True, False]


async def test_nobody_waits_longer_than_told():
    """However many arrive, each begins in the end."""
    rounds = OnePerRound()
    rounds._taken = True  # by somebody who never ends it
    await rounds.turn(0.001)
    assert not rounds._waiting


async def test_the_newest_comes_first():
    """It has the most of its deadline left."""
    rounds, begun = OnePerRound(), []

    async def work(name):
        await rounds.turn(HANG_SECONDS)
        begun.append(name)

    await asyncio.gather(*(work(name) for name in range(4)))
    assert begun == [0, 3, 2, 1]
