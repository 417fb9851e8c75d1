"""The ids of the work in progress."""

import asyncio

from recollect.memory.util.correlation import CORRELATION


async def test_each_task_has_its_own():
    """Work beside it, and work that it was called from, has other ids or none."""

    async def working(name: str) -> str:
        CORRELATION.set(lambda: {"job": name})
        await asyncio.sleep(0)
        return CORRELATION.get()()["job"]

    names = ["one", "two"]
    assert await asyncio.gather(*map(working, names)) == names
    assert CORRELATION.get()() == {}
