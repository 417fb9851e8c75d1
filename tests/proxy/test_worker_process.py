"""A worker of its own; tests/e2e/test_shared_state.py runs two beside two proxies."""

import asyncio
import os
import signal

import pytest

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.engine.opening import open_the_state
from recollect.proxy.worker_process import run_worker
from tests.support.composing import capture, settings, texts
from tests.support.memories import InMemoryMemories
from tests.support.postgres_server import empty_database
from tests.support.scripted import ScriptedModel, facts
from tests.support.waiting import HANG_SECONDS, until

pytestmark = pytest.mark.process

SECONDS = HANG_SECONDS
SERVER = {"index__backend": "milvus", "index__uri": "http://127.0.0.1:9"}


@pytest.fixture
async def database(postgres):
    """Where everything is kept, as settings."""
    async with empty_database(postgres) as url:
        yield {"database__url": url}


@pytest.fixture
async def model():
    async with ScriptedModel(facts("User lives in Oslo")) as scripted:
        yield scripted


@pytest.fixture
def store(monkeypatch):
    """What the worker finds at the address of the Milvus server."""

    class Server(InMemoryMemories):
        """A server lives on when a client of it closes."""

        async def close(self):
            pass

    store = Server(dim=FakeEmbedder().dim)

    async def open_early(_options, _identity, **_):
        return store

    monkeypatch.setattr("recollect.memory.engine.opening.open_early", open_early)
    return store


@pytest.fixture
async def shared(tmp_path, redis_server, database, model, store, request):
    """Settings of a worker, and the state that it shares."""
    chosen = settings(
        tmp_path,
        **SERVER,
        **database,
        redis__url=redis_server.url,
        redis__prefix=request.node.name[:60],
        learn__llm__base_url=model.base_url,
        learn__in_process=False,
    )
    state = await open_the_state(chosen)
    yield chosen, state
    await state.close()


async def while_it_runs(chosen, work):
    """Do `work` beside a worker that is ready, then stop it as an orchestrator does."""
    ready = asyncio.Event()

    async def beside():
        await ready.wait()
        try:
            await work()
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    async with asyncio.timeout(SECONDS):
        await asyncio.gather(run_worker(chosen, on_ready=ready.set), beside())


async def until_done(state, count):
    async def done():
        return (await state.jobs.counts())["done"] >= count

    await until(done, "the jobs")


async def test_it_learns_what_proxies_enqueued(shared, store):
    """Whoever starts a worker means it to learn, whatever a file says that both read."""
    chosen, state = shared
    off = chosen.learn.model_copy(update={"enabled": False})
    chosen = chosen.model_copy(update={"learn": off})
    await capture(state, "I live in Oslo")
    await while_it_runs(chosen, lambda: until_done(state, 1))
    assert await texts(store) == ["User lives in Oslo"]


async def test_what_runs_is_finished(shared, store, model):
    """Told to stop in the middle of a job, it ends after that job and not before."""
    chosen, state = shared
    asked, stopped = asyncio.Event(), asyncio.Event()

    async def slow(_body):
        asked.set()
        await stopped.wait()
        await asyncio.sleep(0.1)
        return facts("User lives in Oslo")

    model.replies = [slow]
    await capture(state, "I live in Oslo")

    async def work():
        await asked.wait()
        stopped.set()

    await while_it_runs(chosen, work)
    assert await texts(store) == ["User lives in Oslo"]
    assert (await state.jobs.counts())["done"] == 1


async def test_a_queue_that_comes_later(tmp_path, own_postgres, store, model, monkeypatch):
    """Started before PostgreSQL, without a Redis, it waits; it learns once the server is there."""
    monkeypatch.setattr("recollect.memory.jobs.learning.POLL_SECONDS", 0.05)
    own_postgres.stop()
    chosen = settings(
        tmp_path,
        **SERVER,
        database__url=own_postgres.url(),
        learn__llm__base_url=model.base_url,
    )

    async def work():
        await asyncio.to_thread(own_postgres.start)
        state = await open_the_state(chosen)
        await capture(state, "I live in Oslo")
        await until_done(state, 1)
        await state.close()

    await while_it_runs(chosen, work)
    assert await texts(store) == ["User lives in Oslo"]
