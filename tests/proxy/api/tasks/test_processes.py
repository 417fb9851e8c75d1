"""Tasks of several processes: whoever has room runs them, and one that died loses none."""

import json

from recollect.memory.model.tasks import TaskKind, TaskState
from recollect.memory.model.types import Scope
from recollect.proxy.api.tasks import runner as running
from recollect.proxy.api.tasks.room import TaskRoom
from recollect.proxy.api.tasks.runner import TaskRunner
from recollect.proxy.api.tasks.task_runners import TaskRunners
from tests.proxy.api.serving import add
from tests.proxy.api.tasks.test_tasks import TASKS, begin, ended, files, held, seen
from tests.support.waiting import until


def runner_of(engine, tmp_path, **options):
    """Another process."""
    return TaskRunner(TaskRunners(engine.engine, b"a key"), TaskRoom(tmp_path), days=7, **options)


async def test_a_restart(client, engine, tmp_path, monkeypatch):
    """What ran goes on where it stopped, and what waited runs, whoever begins first."""
    monkeypatch.setattr("recollect.memory.transfer.exporting.PAGE", 2)
    for number in range(5):
        await add(client, f"tea {number}")
    first = runner_of(engine, tmp_path)
    held(first, steps=2)
    scope = Scope(tenant="local", user_id="alice")
    async with first.running():
        task = await first.add(first.new(TaskKind.EXPORT, scope, vectors=True))
        waits = await first.add(first.new(TaskKind.EXPORT, "local", vectors=True))

        async def two_done():
            return (await first.find(scope, task.id)).done == 2

        await until(two_done)
        monkeypatch.setattr(running, "DRAIN_SECONDS", 0)
    for each in (task, waits):
        assert (await first.find("local", each.id)).state is TaskState.WAITING
    second = runner_of(engine, tmp_path)
    async with second.running():

        async def all_done():
            return all(each.state is TaskState.DONE for each in await second.store.of("local"))

        await until(all_done)
    for each in (task, waits):
        data = await (await client.get(f"{TASKS}/{each.id}/result")).read()
        assert data.count(b'"memory"') == 5
        assert json.loads(data.splitlines()[-1])["memories"] == 5


async def test_a_process_that_died(engine, tmp_path):
    """Its task is taken up by another once its lease has ended; one that kills each is not."""
    dead, now = runner_of(engine, tmp_path), None
    task = dead.new(TaskKind.EXPORT, "local", vectors=True)
    assert await dead.store.add(task, most=9)
    for attempt in range(running.MOST_ATTEMPTS + 1):
        now = dead._clock() + attempt * 2 * running.LEASE
        taken = await dead.store.claim("dead", now=now, until=now + running.LEASE)
        assert taken is not None
        assert await dead.store.claim("other", now=now, until=now) is None
    alive = runner_of(engine, tmp_path, clock=lambda: now + 2 * running.LEASE)
    async with alive.running():

        async def over():
            return (await alive.find("local", task.id)).state is TaskState.INTERRUPTED

        await until(over)
        await alive.resume(task)

        async def done():
            return (await alive.find("local", task.id)).state is TaskState.DONE

        await until(done)


async def test_a_process_that_was_taken_for_dead(client, serve, engine, tmp_path):
    """It notices at its next step that another has its task, and changes nothing any more."""
    await add(client, "tea")
    slow = serve.runners[0]
    gate = held(slow)
    task = await begin(client, kind="export")
    other = runner_of(engine, tmp_path, clock=lambda: slow._clock() + 2 * running.LEASE)
    async with other.running():
        done = await ended(client, task)
        before = await files(slow)
        gate.set()
        await until(lambda: not slow._running)
        assert await seen(client, task) == done
        assert await files(slow) == before
