"""The bounds of recalls come from the options; what keeps to them: test_pipeline.py, test_guard.py."""

import asyncio
from functools import partial

import pytest

from recollect.filters import Outcome, RequestRecallOptions, Verdict
from recollect.proxy.chat import bounds as module
from recollect.proxy.chat.bounds import Bounds
from recollect.proxy.chat.capacity import Capacity, MachineTooSmallError
from recollect.proxy.chat.deadline import KEPT, LEAST_SECONDS, MOST_SECONDS
from recollect.proxy.chat.guard import BUSY, CIRCUIT_OPEN, CircuitOpenError


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


async def recalled(bounds, end="answered"):
    """One recall alone: it answers, or is cut off at the deadline, which is now."""

    async def call():
        if end == "late":
            await asyncio.Event().wait()

    try:
        async with asyncio.timeout(0 if end == "late" else None) as deadline:
            await bounds.recall.run(call, deadline)
    except TimeoutError:
        pass


async def test_a_number_is_a_hard_bound():
    """In milliseconds; whatever recalls take, it stays."""
    bounds = Bounds(RequestRecallOptions(deadline_ms=250))
    for end in ["answered"] * 50 + ["late"] * 50:
        await recalled(bounds, end)
    assert bounds.deadline_seconds == 0.25


async def test_auto_follows_the_recalls():
    """The longest first, then that of a quick machine; late recalls make it longer again."""
    bounds = Bounds(RequestRecallOptions())
    assert bounds.deadline_seconds == MOST_SECONDS
    for _ in range(KEPT):
        await recalled(bounds)
    assert bounds.deadline_seconds == LEAST_SECONDS
    for _ in range(KEPT):
        await recalled(bounds, "late")
    assert bounds.deadline_seconds == MOST_SECONDS


async def test_a_slow_start_begins_with_few():
    """The time of a recall before the first request bounds the first burst."""
    bounds = Bounds(RequestRecallOptions(max_concurrent=16))
    bounds.start(0.1)
    most = bounds.counted["at_a_time"]
    assert 2 <= most <= 8
    assert await admitted(bounds.recall) == most


@pytest.fixture
def minutes(monkeypatch):
    """Minutes that a test lets pass for what counts losses."""
    now = [0.0]
    monkeypatch.setattr(module, "Capacity", partial(Capacity, clock=lambda: now[0] * 60))
    return now


async def test_a_machine_that_is_too_small_says_so(minutes, caplog):
    """`/readyz` is told with advice, and the log once; a burst is no such sign."""
    bounds = Bounds(RequestRecallOptions())
    for _ in range(500):
        bounds.count(BUSY)
    await bounds.ping()
    for _ in range(12):
        minutes[0] += 1 / 6
        for verdict in [BUSY, Verdict(Outcome.DEGRADED, "deadline")] * 4:
            bounds.count(verdict)
        for outcome in (Outcome.INJECTED, Outcome.EMPTY, Outcome.SKIPPED):
            bounds.count(Verdict(outcome, "whatever"))
    with pytest.raises(MachineTooSmallError) as caught:
        await bounds.ping()
    assert (caught.value.code, "CPU" in caught.value.advice) == ("machine_too_small", True)
    [line] = caplog.messages
    assert line.startswith("this machine is too small")
    assert bounds.counted == {
        "deadline_ms": 400,
        "at_a_time": await admitted(bounds.recall),
        "kept": 24,
        "busy": 548,
        "late": 48,
    }
    minutes[0] += 10
    await bounds.ping()


@pytest.mark.parametrize("reason", ["circuit_open", "store_unavailable", "internal_error"])
async def test_parts_that_fail_are_no_small_machine(minutes, reason):
    """What is broken has its own word: more CPU would not mend it."""
    bounds = Bounds(RequestRecallOptions())
    for _ in range(100):
        minutes[0] += 0.1
        bounds.count(Verdict(Outcome.DEGRADED, reason))
    await bounds.ping()


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
