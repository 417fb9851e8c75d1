"""What is noticed of a loop that stands still."""

import asyncio
import sys
import time

from recollect.memory.util.tasks import Tasks
from recollect.proxy.watchdog import (
    QUIET_SECONDS,
    STALL_SECONDS,
    TICK_SECONDS,
    Watchdog,
    place_of,
    run_watched,
)
from tests.support.clock import Clock
from tests.support.waiting import HANG_SECONDS, until


def test_late_rounds_are_counted_and_told_in_few_lines(caplog):
    """A round in time is nothing; the longest late one is kept; one line in ten seconds."""
    clock = Clock()
    watchdog = Watchdog(clock=clock)
    watchdog.note(STALL_SECONDS * 0.9, 0)
    assert watchdog.counted == {"stalls": 0, "longest_ms": 0}
    assert not caplog.text
    for late in (0.3, *[0.2] * 49):
        watchdog.note(late, 0.1)
    assert watchdog.counted == {"stalls": 50, "longest_ms": 300}
    assert caplog.text.count("loop stalled") == 1
    assert "stalled for 300 ms, 100 of them computing" in caplog.text
    clock.now += QUIET_SECONDS
    watchdog.note(0.2, 0)
    assert "(50 stalls since the last line)" in caplog.text


def test_the_place_is_our_code():
    """Not the library's that it called, and nothing where none of ours runs."""
    assert place_of(sys._getframe()).startswith("tests/proxy/test_watchdog.py:")
    assert place_of(sys._getframe()).endswith(" test_the_place_is_our_code")
    assert place_of(None) == ""


def test_a_frozen_loop_is_found_where_it_freezes(caplog, monkeypatch):
    """The line names the function that held it; nothing is told before somebody waits."""
    monkeypatch.setattr("recollect.proxy.watchdog.START_SECONDS", 0)
    run_watched(frozen())
    assert "tests/proxy/test_watchdog.py" in caplog.text
    assert " freeze " in caplog.text


def freeze(watchdog):
    """Hold the loop until it is noticed, which a busy machine does late."""
    end = time.monotonic() + HANG_SECONDS
    while not watchdog._seen and time.monotonic() < end:
        time.sleep(TICK_SECONDS)


async def frozen():
    watchdog, tasks, rounds = Watchdog(), Tasks(), asyncio.get_running_loop().rounds
    running = tasks.start(watchdog.run(), name="watchdog")
    await asyncio.sleep(0)
    assert rounds.on_late is None
    watchdog.begin()
    await until(lambda: rounds.on_late is not None, "the watch")
    freeze(watchdog)
    await until(lambda: watchdog.counted["stalls"], "a stall")
    running.cancel()
    await asyncio.wait([running])
    assert rounds.on_late is None


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
        await asyncio.sleep(2 * TICK_SECONDS)
        before = len(slept)
        await asyncio.sleep(8 * TICK_SECONDS)
        running.cancel()
        return len(slept) - before

    assert run_watched(wait()) <= 2
