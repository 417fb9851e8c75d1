"""The bounds of recalls come from the options; what keeps to them: test_pipeline.py, test_guard.py."""

import asyncio
import contextlib
from functools import partial

import pytest

from recollect.filters import Outcome, RequestRecallOptions, Verdict
from recollect.memory.util.breaker import FAILURES
from recollect.proxy.chat import bounds as module
from recollect.proxy.chat.bounds import MOST_REWRITES, Bounds
from recollect.proxy.chat.capacity import Capacity, MachineTooSmallError
from recollect.proxy.chat.guard import BUSY, CIRCUIT_OPEN
from tests.support.folding import rows


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
        "at_a_time": 2,
        "kept": 24,
        "busy": 548,
        "late": 48,
    }
    minutes[0] += 10
    await bounds.ping()


@rows("reason", ["circuit_open", "store_unavailable", "internal_error"])
async def test_parts_that_fail_are_no_small_machine(minutes, reason):
    """What is broken has its own word: more CPU would not mend it."""
    bounds = Bounds(RequestRecallOptions())
    for _ in range(100):
        minutes[0] += 0.1
        bounds.count(Verdict(Outcome.DEGRADED, reason))
    await bounds.ping()


async def test_each_part_has_a_guard_of_its_own():
    """One that is busy or left alone changes nothing for another, nor for the recall."""
    bounds, go_on = Bounds(RequestRecallOptions()), asyncio.Event()

    async def fine():
        """Nothing."""

    async def failing():
        raise ZeroDivisionError

    async def run(guard, call):
        async with asyncio.timeout(None) as deadline:
            with contextlib.suppress(ZeroDivisionError):
                return await guard.run(call, deadline)

    async with asyncio.TaskGroup() as group:
        for _ in range(MOST_REWRITES):
            group.create_task(run(bounds.of("a"), go_on.wait))
        await asyncio.sleep(0.01)
        others = [bounds.of("a"), bounds.of("b"), bounds.recall]
        assert [await run(guard, fine) for guard in others] == [BUSY, None, None]
        go_on.set()
    for _ in range(FAILURES):
        await run(bounds.of("a"), failing)
    assert [await run(guard, fine) for guard in others] == [CIRCUIT_OPEN, None, None]
