"""The background loops: what wakes them, what they survive."""

import asyncio

import pytest

from recollect.memory.jobs.learning import MAX_IDLE_CHECK_SECONDS, POLL_SECONDS, Learning
from recollect.memory.jobs.runs import RunOutcome
from recollect.memory.learn import LearnOptions
from recollect.memory.model.errors import StateError
from recollect.memory.model.types import Scope, utc_now
from recollect.memory.util.tasks import Tasks
from tests.support.clock import Stepped
from tests.support.scripted import ScriptedModel, facts
from tests.support.waiting import HANG_SECONDS, until
from tests.support.wired import Wired

SECONDS = HANG_SECONDS
IDLE = LearnOptions().idle_seconds


@pytest.fixture
def clock():
    return Stepped(utc_now())


@pytest.fixture
async def model():
    async with ScriptedModel(facts("User lives in Oslo")) as scripted:
        yield scripted


@pytest.fixture
async def tasks():
    group = Tasks()
    yield group
    await group.drain(0)


def learn(engine):
    return Learning(engine.worker, engine.sessions, engine.options, clock=engine.clock)


async def test_what_is_said_after_the_start_is_no_leftover(model, tasks, clock):
    """A conversation that has just begun is not learned from turn by turn."""
    async with Wired(model.base_url, clock) as engine:
        loops = learn(engine)
        await loops.begin()
        loops.start(tasks)
        await engine.say("I live in Oslo")
        await until(lambda: clock.asleep)
        await clock.step(IDLE / 2)
        assert await engine.jobs.depth() == 0


async def test_waking_learns_what_is_due(model, tasks, clock):
    """A job that is enqueued later runs when the loop is woken, before its next look."""
    async with Wired(model.base_url, clock) as engine:
        loops = learn(engine)
        loops.start(tasks)
        await until(lambda: POLL_SECONDS in clock.asleep)
        await engine.say("I live in Oslo")
        assert await engine.sessions.enqueue("turns") == 1
        loops.wake()
        await until(engine.memories)


async def test_silent_conversations_are_learned(model, tasks, clock):
    """A conversation that fell silent is found and learned."""
    async with Wired(model.base_url, clock) as engine:
        await engine.say("I live in Oslo")
        learn(engine).start(tasks)
        await until(lambda: min(IDLE / 4, MAX_IDLE_CHECK_SECONDS) in clock.asleep)
        await clock.step(IDLE + MAX_IDLE_CHECK_SECONDS)
        await until(engine.memories)


async def test_what_is_queued_is_left_alone(model, monkeypatch):
    """However long a job waits for its model, no look queues its turns again."""
    async with Wired(model.base_url) as engine:
        await engine.say("I live in Oslo")
        assert await engine.sessions.enqueue("startup") == 1
        monkeypatch.delattr(type(engine.jobs), "put")
        assert await engine.sessions.enqueue("idle") == 0


async def test_a_flush_learns_one_scope_and_tells_of_it(model):
    """Only the runs of the scope that was asked for are reported, and they are done."""
    async with Wired(model.base_url) as engine:
        await engine.say("I live in Oslo")
        await engine.say("I live in Rome", user="bob", conversation="d")
        runs = await learn(engine).flush(Scope(tenant="local", user_id="alice"))
        assert [(r.outcome, r.job.scope.user_id) for r in runs] == [(RunOutcome.LEARNED, "alice")]
        assert await engine.memories() == ["User lives in Oslo"]
        assert await engine.memories("bob") == []
        assert len(await learn(engine).flush(None)) == 1


async def test_two_flushes_learn_nothing_twice(model):
    """Both wait for the one run that there is, and tell of it."""
    async with Wired(model.base_url) as engine:
        await engine.say("I live in Oslo")
        loops = learn(engine)
        first, second = await asyncio.gather(loops.flush(None), loops.flush(None))
        assert [run.job.id for run in first] == [run.job.id for run in second]
        assert len(await engine.memories()) == 1
        # The extraction and its verification.
        assert len(model.requests) == 2


async def test_a_flush_tries_what_waited_for_a_model(model):
    """After a restart the client's first chat gives the credential; nobody waits for the retry."""
    async with Wired(model.base_url) as engine:
        engine.has_model = False
        await engine.say("I live in Oslo")
        await learn(engine).flush(None)
        engine.has_model = True
        [run] = await learn(engine).flush(None)
        assert run.outcome is RunOutcome.LEARNED
        assert await engine.memories() == ["User lives in Oslo"]


async def test_a_failing_queue_does_not_end_the_loop(model, tasks, clock, monkeypatch):
    """After an outage the loop goes on with the next round."""
    async with Wired(model.base_url, clock) as engine:
        claim, left = engine.jobs.claim, [StateError("locked"), ZeroDivisionError()]

        async def flaky(**arguments):
            if left:
                raise left.pop()
            return await claim(**arguments)

        monkeypatch.setattr(engine.jobs, "claim", flaky)
        await engine.say("I live in Oslo")
        await engine.sessions.enqueue("startup")
        learn(engine).start(tasks)
        for _ in range(2):
            await clock.slept(POLL_SECONDS)
        await until(engine.memories)
        assert not left


async def test_a_shutdown_leaves_shared_conversations_alone(model):
    """Where other processes go on, one that stops takes nothing of theirs."""
    async with Wired(model.base_url) as engine:
        await engine.say("I live in Oslo")
        loops = Learning(engine.worker, engine.sessions, engine.options, shared=True)
        await loops.stop(SECONDS)
        assert await engine.memories() == []
        assert await engine.jobs.depth() == 0


async def test_a_shutdown_does_not_wait_for_ever(clock):
    """A model that hangs costs the time a shutdown has, and its job goes back to the queue."""
    asked = asyncio.Event()

    async def never(_body):
        asked.set()
        await asyncio.Event().wait()

    async with ScriptedModel(never) as slow, Wired(slow.base_url, clock) as engine:
        await engine.say("I live in Oslo")
        stopping = asyncio.ensure_future(learn(engine).stop(10))
        async with asyncio.timeout(SECONDS):
            await asked.wait()
        await clock.step(10)
        await stopping
        assert (await engine.jobs.counts())["ready"] == 1
        [report] = await engine.jobs.reports()
        assert report.job.attempts == 0


async def test_several_jobs_are_learned_at_a_time(tasks):
    """One user's slow job holds back no other user's, up to the configured number."""
    together = asyncio.Barrier(2)

    async def meets(_body):
        async with asyncio.timeout(SECONDS):
            await together.wait()
        return facts("User lives in Oslo")

    async with ScriptedModel(meets) as both, Wired(both.base_url, concurrency=2) as engine:
        await engine.say("I live in Oslo")
        await engine.say("I live in Oslo", user="bob", conversation="d")
        await engine.sessions.enqueue("startup")
        learn(engine).start(tasks)

        async def learned():
            return await engine.memories() and await engine.memories("bob")

        await until(learned)
