"""Tasks of several processes: whichever is asked knows them all, and only their holder changes them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from recollect.memory.model.errors import ConflictError, NotFoundError, StateError
from recollect.memory.model.types import Scope
from recollect.memory.state.redis import open_redis_state
from recollect.memory.util.mesh import Mesh
from recollect.memory.util.siblings import Sibling
from recollect.memory.util.tasks import Tasks
from recollect.proxy.api.tasks.everywhere import FoundTask, TasksEverywhere, adopt, folder_of
from recollect.proxy.api.tasks.record import Task, TaskKind, TaskState
from recollect.proxy.api.tasks.runner import TaskRunner
from recollect.proxy.api.tasks.spool import Spool
from recollect.proxy.api.tasks.store import TaskStore
from recollect.proxy.api.tasks.task_runners import TaskRunners
from tests.support.parts import engine_of
from tests.support.redis_server import RedisServer
from tests.support.waiting import HANG_SECONDS

ALICE = Scope(tenant="local", user_id="alice")
BOB = Scope(tenant="local", user_id="bob")


@dataclass
class Worker:
    runner: TaskRunner
    everywhere: TasksEverywhere

    async def export(self) -> Task:
        return await self.runner.add(self.runner.new(TaskKind.EXPORT, ALICE, vectors=False))


@pytest.fixture
async def workers(tmp_path: Path) -> AsyncIterator[list[Worker]]:
    """Two of them, whose tasks run."""
    made: list[Worker] = []
    listening = []
    shared = tmp_path / "shared"
    shared.mkdir()
    async with asyncio.timeout(60):
        for number in range(2):
            mesh = Mesh(Sibling(shared, number, 2))
            store = TaskStore(folder_of(tmp_path / "tasks", number))
            runner = TaskRunner(TaskRunners(engine_of(), Spool(store), b"a key"), days=7)
            made.append(Worker(runner, TasksEverywhere(runner, tmp_path / "tasks", mesh)))
            listening.append(asyncio.ensure_future(mesh.listen()))
            await mesh.up.wait()
        async with made[0].runner.running(), made[1].runner.running():
            yield made
    for each in listening:
        each.cancel()
    await asyncio.gather(*listening, return_exceptions=True)


async def _ended(worker: Worker, task: Task) -> Any:
    while True:
        found = await worker.everywhere.find(ALICE, task.id)
        if found.task.state.is_over:
            return found
        await asyncio.sleep(0.01)


async def _read(worker: Worker, found: FoundTask) -> bytes:
    """The file in pieces of 7 bytes."""
    lines = worker.everywhere.lines(found)
    assert await lines.there()
    async with lines.opened() as file:
        pieces = [await file.read(at, 7) for at in range(0, file.size, 7)]
        assert not await file.read(file.size, 7)
        return b"".join(pieces)


async def test_every_worker_knows_every_task_and_its_file(workers: list[Worker]) -> None:
    """Found by id and in the list of its owner, with the file of its export; by nobody else."""
    one, two = workers
    task = await one.export()
    found = await _ended(two, task)
    assert (found.task.state, found.holder) == (TaskState.DONE, 0)
    assert await _read(two, found)
    assert [each.id for each in await two.everywhere.of(ALICE)] == [task.id]
    assert await two.everywhere.of(BOB) == []
    with pytest.raises(NotFoundError):
        await two.everywhere.find(BOB, task.id)


async def test_the_holder_changes_a_task_that_another_was_asked_to_change(
    workers: list[Worker],
) -> None:
    """Removed through the other one it is gone; what cannot be done is refused as at the holder."""
    one, two = workers
    task = await one.export()
    found = await _ended(two, task)
    with pytest.raises(ConflictError, match="cannot be resumed"):
        await two.everywhere.change(found, "resume")
    await two.everywhere.change(found, "remove")
    assert one.runner.of(ALICE) == []
    for each in workers:
        with pytest.raises(NotFoundError):
            await each.everywhere.find(ALICE, task.id)


@pytest.fixture
async def replicas(tmp_path: Path, own_redis: RedisServer) -> AsyncIterator[list[Worker]]:
    """Two that share a Redis, each with its own folder."""
    own_redis.command("FLUSHALL")
    made: list[Worker] = []
    async with AsyncExitStack() as stack:
        names = set()
        for number in range(2):
            state = await open_redis_state(own_redis.url, prefix="test:", turn_ttl_days=1)
            stack.push_async_callback(state.close)
            folder = tmp_path / str(number)
            folder.mkdir()
            runners = TaskRunners(engine_of(), Spool(TaskStore(folder / "tasks")), b"a key")
            runner = TaskRunner(runners, days=7)
            made.append(Worker(runner, TasksEverywhere(runner, folder, None, state.replicas)))
            names.add(state.replicas)
            tasks = Tasks()
            tasks.start(state.replicas.listen(), name="replicas")
            stack.push_async_callback(tasks.drain, 0)
            await stack.enter_async_context(runner.running())
        async with asyncio.timeout(HANG_SECONDS):
            while not all([await each.ask_all("anything") for each in names]):
                await asyncio.sleep(0.01)
        yield made


async def test_every_replica_knows_every_task_and_its_file(replicas: list[Worker]) -> None:
    """As workers of one machine do; the file comes in pieces from the one that has it."""
    one, two = replicas
    task = await one.export()
    found = await _ended(two, task)
    assert isinstance(found.holder, str)
    assert await _read(two, found) == one.runner.store.lines(task.id).read_bytes()
    assert [each.id for each in await two.everywhere.of(ALICE)] == [task.id]
    assert await two.everywhere.of(BOB) == []
    with pytest.raises(NotFoundError):
        await two.everywhere.find(BOB, task.id)
    with pytest.raises(ConflictError, match="cannot be resumed"):
        await two.everywhere.change(found, "resume")
    one.runner.store.drop_lines(task.id)
    assert not await two.everywhere.lines(found).there()
    with pytest.raises(FileNotFoundError):
        await _read_gone(two, found)
    await two.everywhere.change(found, "remove")
    assert one.runner.of(ALICE) == []
    with pytest.raises(NotFoundError):
        await two.everywhere.find(ALICE, task.id)


async def _read_gone(worker: Worker, found: FoundTask) -> None:
    async with worker.everywhere.lines(found).opened():
        pass


async def test_tasks_of_ones_own_are_there_while_redis_is_away(tmp_path: Path) -> None:
    """Another's is not called unknown: nobody can tell."""
    state = await open_redis_state(f"unix://{tmp_path}/nobody", prefix="t:", turn_ttl_days=1)
    runners = TaskRunners(engine_of(), Spool(TaskStore(tmp_path / "tasks")), None)
    runner = TaskRunner(runners, days=7)
    everywhere = TasksEverywhere(runner, tmp_path, None, state.replicas)
    task = await runner.add(runner.new(TaskKind.EXPORT, ALICE, vectors=False))
    assert [each.id for each in await everywhere.of(ALICE)] == [task.id]
    assert (await everywhere.find(ALICE, task.id)).holder is None
    with pytest.raises(StateError):
        await everywhere.find(ALICE, "another")
    await state.close()


async def test_a_list_is_answered_without_a_worker_that_is_away(tmp_path: Path) -> None:
    """Its tasks are missing until it is back."""
    mesh = Mesh(Sibling(tmp_path, 0, 2))
    runner = TaskRunner(
        TaskRunners(engine_of(), Spool(TaskStore(tmp_path / "tasks")), None), days=7
    )
    everywhere = TasksEverywhere(runner, tmp_path / "tasks", mesh)
    assert await everywhere.of(ALICE) == []


def test_tasks_of_workers_that_are_no_more_go_to_the_first(tmp_path: Path) -> None:
    """With their files; those of workers that are still there stay."""
    tasks = tmp_path / "tasks"
    for number in (1, 2):
        folder = folder_of(tasks, number)
        folder.mkdir()
        (folder / f"{number}.json").write_text("{}")
    adopt(tasks, 2)
    assert [path.name for path in tasks.iterdir()] == ["2.json"]
    assert (folder_of(tasks, 1) / "1.json").exists()
    assert not folder_of(tasks, 2).exists()
