"""What is noticed of a loop that stands still."""

import asyncio
import sys
import time

import pytest

from recollect.memory.util.tasks import Tasks
from recollect.proxy.watchdog import (
    QUIET_SECONDS,
    STALL_SECONDS,
    TICK_SECONDS,
    Watchdog,
    place_of,
    run_watched,
)
from tests.support.waiting import HANG_SECONDS


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_only_a_late_loop_stalls(caplog):
    """A tick in time is nothing; a late one is counted, and the longest is kept."""
    watchdog = Watchdog(clock=Clock())
    watchdog.note(STALL_SECONDS * 0.9, 0)
    assert watchdog.counted == {"stalls": 0, "longest_ms": 0}
    assert not caplog.text
    for late in (0.3, 0.2):
        watchdog.note(late, 0.1)
    assert watchdog.counted == {"stalls": 2, "longest_ms": 300}
    assert "stalled for 300 ms, 100 of them computing" in caplog.text


def test_many_stalls_are_few_lines(caplog):
    """One line in ten seconds, which says how many there were."""
    clock = Clock()
    watchdog = Watchdog(clock=clock)
    for _ in range(50):
        watchdog.note(0.2, 0)
    assert caplog.text.count("loop stalled") == 1
    clock.now += QUIET_SECONDS
    watchdog.note(0.2, 0)
    assert "(50 stalls since the last line)" in caplog.text
    assert watchdog.counted["stalls"] == 51


def test_the_place_is_our_code():
    """Not the library's that it called, and nothing where none of ours runs."""
    assert place_of(sys._getframe()).startswith("tests/proxy/test_watchdog.py:")
    assert place_of(sys._getframe()).endswith(" test_the_place_is_our_code")
    assert place_of(None) == ""


def freeze(watchdog, times):
    """Hold the loop until it is noticed, which a busy machine does late."""
    for _ in range(times):
        time.sleep(0.01)
        if watchdog._seen:
            break
    time.sleep(2 * STALL_SECONDS)


def test_a_frozen_loop_is_found_where_it_freezes(caplog, monkeypatch):
    """The line names the function that held it; what held it before the start is over is not told."""
    monkeypatch.setattr("recollect.proxy.watchdog.START_SECONDS", 0)
    run_watched(frozen(caplog))
    assert "tests/proxy/test_watchdog.py" in caplog.text
    assert " freeze " in caplog.text


async def frozen(caplog):
    watchdog, tasks = Watchdog(), Tasks()
    running = tasks.start(watchdog.run(), name="watchdog")
    await asyncio.sleep(2 * TICK_SECONDS)
    time.sleep(2 * STALL_SECONDS)  # A part is loaded: nobody waits yet.
    await asyncio.sleep(2 * TICK_SECONDS)
    assert (watchdog.counted["stalls"], caplog.text) == (0, "")
    watchdog.begin()
    await asyncio.sleep(2 * TICK_SECONDS)
    freeze(watchdog, int(100 * HANG_SECONDS))
    async with asyncio.timeout(HANG_SECONDS):
        while not watchdog.counted["stalls"]:
            await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


def test_a_round_that_takes_long_is_late():
    """By how long the loop computed, and how long its processor did; a short round is not."""
    late = []

    async def compute():
        rounds = asyncio.get_running_loop().rounds
        rounds.on_late = lambda *told: late.append(told)
        await asyncio.sleep(0)
        assert late == []
        time.sleep(1.1 * STALL_SECONDS)
        await asyncio.sleep(0)

    run_watched(compute())
    [(taken, busy)] = late
    assert taken > STALL_SECONDS
    assert 0 <= busy <= taken


def test_nothing_wakes_up_while_the_loop_waits(monkeypatch):
    """The thread sleeps until the next round, and looks at the loop once in a while during it."""
    monkeypatch.setattr("recollect.proxy.watchdog.START_SECONDS", 0)
    slept = []
    asleep = time.sleep
    monkeypatch.setattr(time, "sleep", lambda seconds: (slept.append(seconds), asleep(seconds)))

    async def wait():
        watchdog, tasks = Watchdog(), Tasks()
        watchdog.begin()
        running = tasks.start(watchdog.run(), name="watchdog")
        rounds = asyncio.get_running_loop().rounds
        async with asyncio.timeout(HANG_SECONDS):
            while rounds.wanted is None:
                await asyncio.sleep(0)
        await asyncio.sleep(4 * TICK_SECONDS)
        before = len(slept)
        await asyncio.sleep(20 * TICK_SECONDS)
        running.cancel()
        return len(slept) - before

    assert run_watched(wait()) <= 2
