"""Background work in one process and among siblings."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from recollect.memory.model.errors import StateError
from recollect.memory.util import sibling_messages as mesh_module
from recollect.memory.util.correlation import CORRELATION
from recollect.memory.util.fair_thread_pool import FairThreadPool
from recollect.memory.util.idle_gate import IdleGate
from recollect.memory.util.loops import guarded, repeat
from recollect.memory.util.sibling_messages import SiblingFailedError
from recollect.memory.util.tasks import Tasks
from tests.support.siblings import listening, meshes
from tests.support.waiting import HANG_SECONDS, until
from tests.support.waiting import HANG_SECONDS as SECONDS


async def turns():
    """Let everybody run who can."""
    for _ in range(9):
        await asyncio.sleep(0)


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


async def test_background_work_waits_for_a_gap():
    """While somebody waits for an answer a step does not begin; when nobody does, it does."""
    quiet, begun = IdleGate(), []

    async def step():
        await quiet.wait_for_idle()
        begun.append(1)

    with quiet.foreground(), quiet.foreground():
        task = asyncio.ensure_future(step())
        await turns()
        assert begun == []
    await turns()
    assert begun == [1]
    await task


async def test_a_request_that_fails_is_over():
    """An error ends the waiting like an answer does."""
    quiet = IdleGate()
    try:
        with quiet.foreground():
            raise ValueError
    except ValueError:
        pass
    await asyncio.wait_for(quiet.wait_for_idle(), HANG_SECONDS)
    assert not quiet._running


async def test_each_task_has_its_own():
    """Work beside it, and work that it was called from, has other ids or none."""

    async def working(name: str) -> str:
        CORRELATION.set(lambda: {"job": name})
        await asyncio.sleep(0)
        return CORRELATION.get()()["job"]

    names = ["one", "two"]
    assert await asyncio.gather(*map(working, names)) == names
    assert CORRELATION.get()() == {}


@pytest.fixture
def bulk():
    bulk = FairThreadPool(2)
    yield bulk
    bulk.close()


async def test_work_runs_in_a_thread_and_gives_its_result(bulk):
    """Also its error."""
    assert await bulk.run("ann", threading.current_thread) is not threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        await bulk.run("ann", lambda: 1 // 0)


async def test_the_same_work_of_an_owner_is_shared_while_it_runs(bulk):
    """Not with another owner, not afterwards; its error is everybody's."""
    done = []
    both = [bulk.run_shared("ann", "text", lambda: done.append("ann") or 1) for _ in range(2)]
    assert await asyncio.gather(*both) == [1, 1]
    await bulk.run_shared("bob", "text", lambda: done.append("bob"))
    await bulk.run_shared("ann", "text", lambda: done.append("ann again"))
    assert done == ["ann", "bob", "ann again"]
    failing = [bulk.run_shared("ann", "text", lambda: 1 // 0) for _ in range(2)]
    found = await asyncio.gather(*failing, return_exceptions=True)
    assert [type(each) for each in found] == [ZeroDivisionError] * 2


async def test_one_who_leaves_does_not_end_the_shared_work(bulk):
    """Whoever waits on has the result."""
    go_on = threading.Event()
    one, other = (
        asyncio.ensure_future(bulk.run_shared("ann", "text", lambda: go_on.wait(HANG_SECONDS)))
        for _ in range(2)
    )
    await asyncio.sleep(0)
    one.cancel()
    with pytest.raises(asyncio.CancelledError):
        await one
    go_on.set()
    assert await other


async def test_an_owner_waits_behind_himself_and_nobody_else_does(bulk):
    """Of two threads one is left for others, however much one owner asks for."""
    go_on, running, most = threading.Event(), [], []

    def work():
        running.append(1)
        most.append(len(running))
        assert go_on.wait(HANG_SECONDS)
        running.pop()

    mine = [asyncio.ensure_future(bulk.run("ann", work)) for _ in range(5)]
    await until(lambda: running, "the first work")
    assert await bulk.run("bob", lambda: "at once") == "at once"
    assert len(running) == 1
    go_on.set()
    await asyncio.gather(*mine)
    assert max(most) == 1


async def test_who_gives_up_leaves_the_work_running(bulk):
    """A deadline ends the wait; the owner's next work begins when the first is really over."""
    begun, go_on, ended = (threading.Event() for _ in range(3))

    def slow():
        begun.set()
        assert go_on.wait(HANG_SECONDS)
        ended.set()

    waiting = asyncio.ensure_future(bulk.run("ann", slow))
    await until(begun.is_set, "the work")
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    later = asyncio.ensure_future(bulk.run("ann", ended.is_set))
    await turns()
    assert not later.done()
    go_on.set()
    assert await later


def _collecting(heard: list[Any]) -> Any:
    async def handler(values: Mapping[str, Any]) -> int:
        heard.append(values["said"])
        return len(heard)

    return handler


async def test_all_others_have_acted_when_it_returns(tmp_path: Path) -> None:
    """Each of them once, in order; not the one who tells."""
    every = meshes(tmp_path, 3)
    heard: list[list[Any]] = [[], [], []]
    for sibling_messages, own in zip(every, heard, strict=True):
        sibling_messages.on("news", _collecting(own))
    async with listening(every[0]), listening(every[1]), listening(every[2]):
        for number in range(3):
            await every[0].tell("news", said=number)
            assert heard == [[], [*range(number + 1)], [*range(number + 1)]]
        assert await every[1].ask(2, "news", said="x") == 4


async def test_whoever_is_not_there_is_not_waited_for(tmp_path: Path) -> None:
    """Telling goes on without it, also after it died; a question to it is an error."""
    one, two = meshes(tmp_path)
    await one.tell("news", said=1)
    with pytest.raises(SiblingFailedError, match="worker 2 does not run"):
        await one.ask(1, "news", said=1)
    async with listening(two, one):
        await one.tell("news", said=2)
    await one.tell("news", said=3)
    again = meshes(tmp_path)[1]
    heard: list[Any] = []
    again.on("news", _collecting(heard))
    async with listening(again, one):
        await one.tell("news", said=4)
    assert heard == [4]


async def test_a_late_sibling_hears_it_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever tells does not wait for long; the message is heard before a later one is answered."""
    monkeypatch.setattr(mesh_module, "ANSWER_SECONDS", 0.05)
    one, two = meshes(tmp_path)
    go, heard = asyncio.Event(), list[Any]()

    async def slow(values: Mapping[str, Any]) -> None:
        await go.wait()
        heard.append(values["said"])

    two.on("news", slow)
    async with listening(two, one):
        with pytest.raises(SiblingFailedError, match="in time"):
            await one.tell("news", said=1)
        go.set()
        await one.tell("news", said=2)
        assert heard == [1, 2]


async def test_a_cancelled_question_leaves_no_answer_behind(tmp_path: Path) -> None:
    """The next question gets its own answer."""
    one, two = meshes(tmp_path)
    begun, go = asyncio.Event(), asyncio.Event()

    async def echo(values: Mapping[str, Any]) -> Any:
        if values["said"] == "slow":
            begun.set()
            await go.wait()
        return values["said"]

    two.on("echo", echo)
    async with listening(two, one):
        asking = asyncio.ensure_future(one.ask(1, "echo", said="slow"))
        await begun.wait()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        go.set()
        assert await one.ask(1, "echo", said="quick") == "quick"
