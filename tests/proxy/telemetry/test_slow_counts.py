"""Counts that are made now and then."""

import asyncio

import pytest

from recollect.memory.engine.doubtful_counts import DoubtfulCounts
from recollect.memory.model.errors import StoreError
from recollect.memory.util.tasks import Tasks
from recollect.proxy.telemetry import names
from recollect.proxy.telemetry.slow_counts import LEAST_SECONDS, SlowCounts


class Counting:
    """A count that says how often it was made, and a clock that stands still."""

    def __init__(self, *, rows=3):
        self.rows, self.made, self.now = rows, 0, 100.0
        self.error = None

    async def __call__(self):
        self.made += 1
        if self.error is not None:
            raise self.error
        return DoubtfulCounts(self.rows, quarantined=2, conflicts=self.made)

    def slow_counts(self, tasks):
        return SlowCounts(self, tasks, clock=lambda: self.now)


@pytest.fixture
async def tasks():
    started = Tasks()
    yield started
    await started.drain(0)


async def values(slow_counts):
    return {family.metric: dict(family.values) for family in await slow_counts.families()}


async def test_scrapes_in_a_row_count_once(tasks):
    """However often it is scraped, the memories are read once a minute at most."""
    count = Counting()
    slow_counts = count.slow_counts(tasks)
    found = [await values(slow_counts) for _ in range(3)]
    assert (
        found
        == [{names.QUARANTINED: {(): 2}, names.LEFT_OUT: {(): 0}, names.CONFLICTS: {(): 1}}] * 3
    )
    count.now += LEAST_SECONDS
    assert (await values(slow_counts))[names.CONFLICTS] == {(): 2}


async def test_a_store_that_is_down_has_no_counts(tasks):
    """Old counts would hide it; it is not asked more often for that."""
    count = Counting()
    slow_counts = count.slow_counts(tasks)
    await values(slow_counts)
    count.error = StoreError("down")
    count.now += LEAST_SECONDS
    assert await values(slow_counts) == {
        names.QUARANTINED: {},
        names.LEFT_OUT: {},
        names.CONFLICTS: {},
    }
    await values(slow_counts)
    assert count.made == 2


async def test_a_slow_count_does_not_hold_a_scrape(tasks, monkeypatch):
    """It is in a later one, and is not begun twice."""
    monkeypatch.setattr("recollect.proxy.telemetry.slow_counts.PATIENCE_SECONDS", 0.01)
    done, count = asyncio.Event(), Counting()

    async def slow():
        await done.wait()
        return await count()

    slow_counts = SlowCounts(slow, tasks, clock=lambda: count.now)
    assert (await values(slow_counts))[names.QUARANTINED] == {}
    done.set()
    await tasks.join()
    assert (await values(slow_counts))[names.QUARANTINED] == {(): 2}
    assert count.made == 1
