"""Testing many memories."""

import asyncio
import time

from recollect.memory.query.passing import passing


async def test_those_that_pass_stay_in_their_order():
    """And of nothing there is nothing."""
    assert await passing(range(10), lambda one: one % 3 == 0) == [0, 3, 6, 9]
    assert await passing([], lambda _: True) == []


async def test_a_long_test_lets_others_go_first():
    """Nobody waits for all of it."""
    lags = []

    async def others():
        while True:
            started = time.perf_counter()
            await asyncio.sleep(0)
            lags.append(time.perf_counter() - started)

    waiting = asyncio.ensure_future(others())
    await passing(range(100), lambda _: time.sleep(0.001) is None)
    waiting.cancel()
    assert len(lags) > 20
    assert max(lags) < 0.05
