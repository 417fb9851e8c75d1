"""Rounds of background work: what they survive, and what ends them."""

import asyncio

import pytest

from recollect.memory.model.errors import StateError
from recollect.memory.util.loops import guarded, repeat
from recollect.memory.util.tasks import Tasks
from tests.support.waiting import HANG_SECONDS as SECONDS


@pytest.fixture
async def tasks():
    group = Tasks()
    yield group
    await group.drain(0)


async def test_guarded_tells_expected_from_unexpected(caplog):
    """A part that is away is a warning, a bug is an error with its trace; neither is raised."""

    async def away():
        raise StateError("locked")

    async def bug():
        raise ZeroDivisionError

    await guarded(away)
    await guarded(bug)
    assert [record.levelname for record in caplog.records] == ["WARNING", "ERROR"]


async def test_repeat_goes_on_after_failures(tasks):
    """The next round comes whatever became of the last."""
    rounds = asyncio.Queue()

    async def work():
        rounds.put_nowait(1)
        raise StateError("locked")

    tasks.start(repeat(0.001, work), name="repeat")
    async with asyncio.timeout(SECONDS):
        for _ in range(3):
            await rounds.get()
