"""The bounds of recalls come from the options; what keeps to them: test_pipeline.py, test_guard.py."""

import asyncio

import pytest

from recollect.filters import RequestRecallOptions
from recollect.proxy.route import bounds as module
from recollect.proxy.route.bounds import Bounds
from recollect.proxy.route.guard import BUSY, CIRCUIT_OPEN, CircuitOpenError


async def admitted(guard):
    """How many calls may be out at a time."""
    async with asyncio.timeout(None) as deadline, asyncio.TaskGroup() as group:
        go_on = asyncio.Event()
        count = 0
        while True:
            call = group.create_task(guard.run(go_on.wait, deadline))
            await asyncio.sleep(0)
            if call.done():
                assert call.result() is BUSY
                go_on.set()
                return count
            count += 1


async def fail(guard):
    async def raising():
        raise ZeroDivisionError

    async with asyncio.timeout(None) as deadline:
        try:
            return await guard.run(raising, deadline)
        except ZeroDivisionError:
            return None


def test_the_deadline_is_in_seconds():
    """The option is in milliseconds."""
    assert Bounds(RequestRecallOptions(deadline_ms=250)).deadline_seconds == 0.25


@pytest.mark.parametrize(("cores", "most"), [(None, 8), (1, 8), (2, 16), (4, 32), (64, 32)])
async def test_the_cores_bound_recalls_unless_configured(cores, most, monkeypatch):
    """So many for each core, up to what the local parts bear; an option counts as it is."""
    monkeypatch.setattr(module.os, "cpu_count", lambda: cores)
    assert await admitted(Bounds(RequestRecallOptions()).recall) == most
    assert await admitted(Bounds(RequestRecallOptions(max_concurrent=3)).recall) == 3


async def test_each_part_has_a_guard_of_its_own():
    """One that is left alone changes nothing for another, nor for the recall."""
    bounds = Bounds(RequestRecallOptions(breaker_failures=2, rewrite={"max_concurrent": 5}))
    assert await admitted(bounds.of("a")) == 5
    assert bounds.of("a") is bounds.of("a")
    assert [await fail(bounds.of("a")) for _ in range(3)] == [None, None, CIRCUIT_OPEN]
    assert await fail(bounds.of("b")) is None
    await bounds.recall.ping()
    assert [await fail(bounds.recall) for _ in range(3)] == [None, None, CIRCUIT_OPEN]
    with pytest.raises(CircuitOpenError):
        await bounds.recall.ping()


async def test_parts_that_are_watched_are_bounded(monkeypatch):
    """The one that was asked longest ago starts anew."""
    monkeypatch.setattr(module, "MAX_GUARDS", 2)
    bounds = Bounds(RequestRecallOptions())
    first = bounds.of("a")
    for part in ("b", "a", "c"):
        bounds.of(part)
    assert bounds.of("a") is first
    bounds.of("b")
    bounds.of("c")
    assert bounds.of("a") is not first
