"""A worker of its own; tests/e2e/test_shared_state.py runs two beside two proxies."""

import asyncio
import os
import signal

import pytest

from recollect.memory.database import open_database
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.state import state_of
from recollect.proxy.worker_process import run_worker
from tests.support.composing import capture, settings, texts
from tests.support.memories import InMemoryMemories
from tests.support.postgres_server import empty_database
from tests.support.scripted import ScriptedModel, facts
from tests.support.waiting import HANG_SECONDS, until

pytestmark = pytest.mark.process

SECONDS = HANG_SECONDS


@pytest.fixture
async def database(postgres):
    """Where everything is kept, as settings."""
    async with empty_database(postgres) as url:
        yield {"database__url": url}


@pytest.fixture
async def model():
    async with ScriptedModel(facts("User lives in Oslo")) as scripted:
        yield scripted


def learned(scripts):
    """The memories of the database that a worker writes to."""
    embedder = FakeEmbedder()
    return InMemoryMemories(dim=embedder.dim, embedder_id=embedder.id, scripts=scripts)


@pytest.fixture
async def shared(tmp_path, redis_server, database, model, request):
    """Settings of a worker, and the state and the memories that it shares."""
    chosen = settings(
        tmp_path,
        **database,
        redis__url=redis_server.url,
        redis__prefix=request.node.name[:60],
        learn__llm__base_url=model.base_url,
        learn__in_process=False,
    )
    scripts = await open_database(chosen.database)
    yield chosen, state_of(scripts), learned(scripts)
    await scripts.close()


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


async def test_it_learns_what_proxies_enqueued(shared):
    """Whoever starts a worker means it to learn, whatever a file says that both read."""
    chosen, state, store = shared
    off = chosen.learn.model_copy(update={"enabled": False})
    chosen = chosen.model_copy(update={"learn": off})
    await capture(state, "I live in Oslo")
    await while_it_runs(chosen, lambda: until_done(state, 1))
    assert await texts(store) == ["User lives in Oslo"]


async def test_a_queue_that_comes_later(tmp_path, own_postgres, model, monkeypatch):
    """Started before PostgreSQL, without a Redis, it waits; it learns once the server is there."""
    monkeypatch.setattr("recollect.memory.jobs.learning.POLL_SECONDS", 0.05)
    own_postgres.stop()
    chosen = settings(
        tmp_path,
        database__url=own_postgres.url(),
        learn__llm__base_url=model.base_url,
    )

    found = []

    async def work():
        await asyncio.to_thread(own_postgres.start)
        scripts = await open_database(chosen.database)
        state = state_of(scripts)
        await capture(state, "I live in Oslo")
        await until_done(state, 1)
        found.extend(await texts(learned(scripts)))
        await scripts.close()

    await while_it_runs(chosen, work)
    assert found == ["User lives in Oslo"]
