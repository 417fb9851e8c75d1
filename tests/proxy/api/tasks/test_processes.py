"""Tasks of several processes: whoever has room runs them, and one that died loses none."""

import asyncio
from contextlib import AsyncExitStack
from datetime import timedelta
from functools import partial
from types import SimpleNamespace

import pytest

from recollect.memory.model.errors import ConflictError, NotFoundError
from recollect.memory.model.tasks import TaskKind, TaskState
from recollect.memory.model.types import Scope
from recollect.memory.state import state_of
from recollect.memory.transfer import Header, end_line, header_line
from recollect.proxy.api.tasks import runner as running
from recollect.proxy.api.tasks.room import TaskRoom
from recollect.proxy.api.tasks.runner import TaskRunner
from recollect.proxy.api.tasks.task_runners import TaskRunners
from tests.proxy.api.serving import add
from tests.proxy.api.tasks.test_tasks import ended, files, held, lines, seen, send
from tests.support.parts import engine_of
from tests.support.postgres_server import empty_database
from tests.support.state import database_at
from tests.support.waiting import until

LEASE = timedelta(seconds=running.LEASE_SECONDS)
EMPTY = header_line(Header(embedder="x", dim=1, vectors=False)) + end_line(0)


def runner_of(engine, tmp_path, **options):
    """Another process."""
    return TaskRunner(TaskRunners(engine.engine, b"a key"), TaskRoom(tmp_path), days=7, **options)


async def importing(runner, owner_ref="local", data=EMPTY):
    """An import whose file has come."""
    task = runner.new(owner_ref, keep_ids=False, embed="missing", on_error="stop")
    await runner.expect(task, len(data))
    await runner.held(task, runner.step(task, data))
    return await runner.received(task)


async def test_a_restart(client, engine, tmp_path, monkeypatch):
    """What ran goes on where it stopped, and what waited runs, whoever begins first."""
    monkeypatch.setattr("recollect.memory.transfer.importing.PAGE", 1)
    for number in range(5):
        await add(client, f"tea {number}")
    data = await lines(client)
    first = runner_of(engine, tmp_path)
    held(first, steps=2)
    async with first.running():
        task, waits = await importing(first, data=data), await importing(first, data=data)

        async def half_done():
            return 0 < (await first.find("local", task.id)).done < 5

        await until(half_done)
        monkeypatch.setattr(running, "DRAIN_SECONDS", 0)
    for each in (task, waits):
        assert (await first.find("local", each.id)).state is TaskState.WAITING
    second = runner_of(engine, tmp_path)
    async with second.running():

        async def all_done():
            return all(each.state is TaskState.DONE for each in await second.store.of("local"))

        await until(all_done)
    for each in (task, waits):
        assert (await second.find("local", each.id)).counts["same"] == 5


@pytest.mark.parametrize("kind", sorted(set(TaskKind) - {TaskKind.IMPORT}))
async def test_a_task_of_an_earlier_checkout_ends(engine, tmp_path, kind):
    """What no process does any more fails at its first turn, and says so."""
    first = runner_of(engine, tmp_path)
    task = first.new("local", keep_ids=False, embed="missing", on_error="stop")
    task.kind = kind
    await first.expect(task, len(EMPTY))
    await first.held(task, first.step(task, EMPTY))
    await first.received(task)
    async with first.running():

        async def is_over():
            return (await first.find("local", task.id)).state.is_over

        await until(is_over)
    over = await first.find("local", task.id)
    assert (over.state, over.error) == (TaskState.FAILED, f"no task does this any more: {kind}")


async def test_a_process_that_died(engine, tmp_path):
    """Its task is taken up by another once its lease has ended; one that kills each is not."""
    dead, now = runner_of(engine, tmp_path), None
    dead._ending = True  # it claims nothing by itself
    task = await importing(dead)
    for attempt in range(running.MOST_ATTEMPTS + 1):
        now = dead._clock() + attempt * 2 * LEASE
        taken = await dead.store.claim(now=now, lease_seconds=running.LEASE_SECONDS)
        assert taken is not None
        assert await dead.store.claim(now=now, lease_seconds=0) is None
    alive = runner_of(engine, tmp_path, clock=lambda: now + 2 * LEASE)
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
    data, gate = await lines(client), held(slow)
    task = await send(client, data)
    other = runner_of(engine, tmp_path, clock=lambda: slow._clock() + 2 * LEASE)
    async with other.running():
        done = await ended(client, task)
        before = await files(slow)
        gate.set()
        await until(lambda: not slow._running)
        assert await seen(client, task) == done
        assert await files(slow) == before


ALICE = Scope(tenant="local", user_id="alice")
BOB = Scope(tenant="local", user_id="bob")


@pytest.fixture
async def two(tmp_path, opened):
    """Processes that share nothing but the database of the state, which `opened` opens."""
    async with AsyncExitStack() as stack:
        made = []
        for _ in range(2):
            engine = engine_of()
            stack.push_async_callback(engine.close)
            state = await opened()
            stack.push_async_callback(state.close)
            parts = SimpleNamespace(state=state)
            shown = SimpleNamespace(
                parts=parts,
                exporter=engine.exporter,
                importer=engine.importer,
                forgetter=engine.forgetter,
                switches=engine.switches,
            )
            made.append(TaskRunner(TaskRunners(shown, b"a key"), TaskRoom(tmp_path), days=7))
            await stack.enter_async_context(made[-1].running())
        yield made


class SharingContract:
    """Subclasses provide the fixture `opened`."""

    async def test_every_process_knows_every_task(self, two):
        """Found by id and in the list of its owner, by nobody else; changed by whoever is asked."""
        one, other = two
        task = await importing(one, ALICE)

        async def done():
            return (await other.find(ALICE, task.id)).state is TaskState.DONE

        await until(done)
        found = await other.find(ALICE, task.id)
        assert [each.id for each in await other.store.of(ALICE)] == [task.id]
        assert await other.store.of(BOB) == []
        with pytest.raises(NotFoundError):
            await other.find(BOB, task.id)
        with pytest.raises(ConflictError, match="cannot be resumed"):
            await other.resume(found)
        await other.remove(found)
        for each in two:
            with pytest.raises(NotFoundError):
                await each.find(ALICE, task.id)

    async def test_another_process_stops_a_task(self, two):
        """Cancelled at its next step, or because its memories are forgotten."""
        one, other = two
        # Either may run them; each is stopped before its only step is kept.
        gates = [held(each) for each in two]
        cancelled = await importing(one, ALICE)
        await other.cancel(cancelled)
        for gate in gates:
            gate.set()

        async def over(task):
            return (await one.find("local", task.id)).state.is_over

        await until(lambda: over(cancelled))
        assert (await one.find(ALICE, cancelled.id)).state is TaskState.CANCELLED
        for gate in gates:
            gate.clear()
        forgotten = await importing(one, ALICE)
        await other.store.forget(ALICE)
        for gate in gates:
            gate.set()
        await until(lambda: over(forgotten))
        assert (await one.find(ALICE, forgotten.id)).state is TaskState.FAILED

    async def test_each_task_runs_once(self, two):
        """However many processes take tasks at the same time, of each tenant one after the other."""
        begun, at_once = [], []
        for runner in two:
            steps = runner._runners.steps

            async def noted(task, steps=steps):
                begun.append(task.id)
                at_once.append(task.tenant)
                assert at_once.count(task.tenant) == 1
                async for step in steps(task):
                    yield step
                at_once.remove(task.tenant)

            runner._runners.steps = noted
        tasks = await asyncio.gather(*(importing(two[n % 2], f"t{n % 3}") for n in range(12)))

        async def all_done():
            for runner in two:
                await runner._claim()
            found = [await two[0].find(each.tenant, each.id) for each in tasks]
            return all(each.state is TaskState.DONE for each in found)

        await until(all_done)
        assert sorted(begun) == sorted(each.id for each in tasks)


async def _state_at(url):
    return state_of(await database_at(url))


class TestSqlite(SharingContract):
    """As workers of one machine."""

    @pytest.fixture
    def opened(self, tmp_path):
        return partial(_state_at, str(tmp_path / "recollect.db"))


class TestPostgres(SharingContract):
    """As replicas."""

    @pytest.fixture
    async def opened(self, postgres):
        async with empty_database(postgres) as url:
            yield partial(_state_at, url)
