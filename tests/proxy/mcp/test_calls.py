"""Calls that are cancelled: reading ends, a write that has begun does not."""

from __future__ import annotations

import asyncio

import pytest

from recollect.memory.util.tasks import Tasks
from recollect.proxy.mcp.calls import Calls


class Work:
    """Work that takes until it is let go."""

    def __init__(self):
        self.begun, self.may_end = asyncio.Event(), asyncio.Event()
        self.ended = self.cancelled = False

    async def run(self):
        self.begun.set()
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        self.ended = True
        return "done"


@pytest.fixture
async def tasks():
    tasks = Tasks()
    yield tasks
    await tasks.drain(0)


async def waiting(calls, work, **how):
    """A call that somebody waits for."""
    task = asyncio.ensure_future(calls.run(work.run(), name="t", **how))
    await work.begun.wait()
    return task


async def test_a_client_that_leaves_ends_its_reading(tasks):
    """Nobody is there to read the answer."""
    calls, work = Calls(tasks), Work()
    task = await waiting(calls, work)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await tasks.join()
    assert work.cancelled
    assert not len(calls)
