"""Background tasks: kept, reported, drained."""

import asyncio
import gc

from recollect.memory.util.tasks import Tasks


async def test_tasks_are_kept_until_they_end():
    """A task that nobody else holds survives the garbage collector, and is let go when done."""
    tasks, done = Tasks(), asyncio.Event()
    tasks.start(done.wait(), name="waiting")
    gc.collect()
    await asyncio.sleep(0)
    assert len(tasks) == 1
    done.set()
    await tasks.drain(10)
    assert len(tasks) == 0


async def test_joining_waits_for_tasks_of_tasks():
    """Those that a task starts before it ends are waited for too."""
    tasks, ended = Tasks(), []

    async def first():
        tasks.start(second(), name="second")

    async def second():
        await asyncio.sleep(0)
        ended.append(1)

    tasks.start(first(), name="first")
    await tasks.join()
    assert (ended, len(tasks)) == ([1], 0)


async def test_a_failure_is_logged_with_its_name(caplog):
    """Nobody awaits these tasks: the log is where their failures are seen."""
    tasks = Tasks()

    async def fail():
        raise ZeroDivisionError

    task = tasks.start(fail(), name="the failing one")
    await asyncio.wait([task])
    await asyncio.sleep(0)
    assert "the failing one" in caplog.text
    assert "ZeroDivisionError" in caplog.text


async def test_draining_waits_for_what_ends_in_time(caplog):
    """Work that needs a moment gets it."""
    tasks, ended = Tasks(), []

    async def work():
        await asyncio.sleep(0.01)
        ended.append(1)

    tasks.start(work(), name="work")
    await tasks.drain(10)
    assert ended == [1]
    assert not caplog.text


async def test_draining_cancels_what_does_not(caplog):
    """Work that hangs is cancelled and named."""
    tasks = Tasks()
    task = tasks.start(asyncio.sleep(3600), name="the hanging one")
    await tasks.drain(0.01)
    assert task.cancelled()
    assert "the hanging one" in caplog.text


async def test_a_swallowed_cancellation_is_repeated():
    """A library that loses a cancellation does not keep the process from ending."""
    tasks, lost = Tasks(), []

    async def loop():
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                if lost:
                    raise
                lost.append(1)

    task = tasks.start(loop(), name="loop")
    await asyncio.sleep(0)
    await tasks.drain(0)
    assert (task.cancelled(), lost) == (True, [1])
