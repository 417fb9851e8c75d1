"""Upkeep that is asked for: one job for each scope, and what became of it."""

import asyncio
from datetime import timedelta

import pytest

from recollect.memory.jobs.upkeep import CALL
from recollect.memory.model.errors import (
    InvalidInputError,
    NoModelError,
    StoreError,
    StretchOpenError,
    code_in,
)
from recollect.memory.model.jobs import JobKind, JobState
from recollect.memory.model.types import Scope, Turn, utc_now
from tests.memory.api.client_parts import build, keep
from tests.memory.learn.doubles import ALICE, NOON, Breaks
from tests.support.upkeep import KeepsFirst

WORK = Scope(tenant="local", user_id="alice", agent_id="work")
WAIT = 30


@pytest.fixture
async def memory():
    memory = build()
    parts = memory._engine.parts
    memory._engine.background.worker.upkeep.add(KeepsFirst(parts.store))
    yield memory
    await memory._engine.close()


@pytest.fixture
def calls(memory):
    return memory._engine.background.calls


async def test_each_scope_has_a_job_of_its_own(memory, calls):
    """Those at and below the scope that is asked about, the last changed first; no other user's."""
    for user in ("alice", "bob"):
        for text in ("Tea", "tea"):
            await memory.add(text, user_id=user, infer=False, dedupe=False)
    await keep(memory, "Tea", user_id="alice", agent_id="work")
    jobs = await calls.jobs(JobKind.CONSOLIDATE, ALICE)
    assert {job.scope for job in jobs} == {ALICE, WORK}
    done = await calls.call(jobs, seconds=WAIT)
    assert [one.state for one in done] == [JobState.DONE] * 2
    changed = {one.run.scope: len(one.run.changes) for one in done}
    assert changed == {ALICE: 1, WORK: 0}
    assert {one.run.reason for one in done} == {CALL}


async def test_what_looks_after_conversations_has_a_job_for_each(memory, calls):
    """Also of a scope from which nothing was learned; up to the last turn."""
    for number, name in enumerate(("c", "c", "d")):
        turn = Turn(
            id=f"t{number}",
            conversation_id=name,
            scope=WORK,
            user_text="Hello",
            assistant_text="Hi",
            model="m",
            created_at=NOON,
        )
        await memory._engine.parts.state.conversations.record(turn)
    jobs = await calls.jobs(JobKind.EPISODE, ALICE)
    assert {(job.scope, job.conversation_id, job.upto_seq) for job in jobs} == {
        (WORK, "c", 2),
        (WORK, "d", 1),
    }
    assert await calls.jobs(JobKind.CONSOLIDATE, ALICE) == []


class Needs:
    """A step that is nothing without a model, or before a conversation is over."""

    kind = JobKind.REFLECT

    def __init__(self, error):
        self.error = error

    async def plan(self, work):
        raise self.error or work.without

    async def applied(self, work, plan):
        """Nothing follows."""


async def test_a_kind_that_is_nothing_without_a_model_rests(memory, calls):
    """A dry run says so and fails nobody; the job waits for a model."""
    engine = memory._engine
    engine.background.worker.upkeep.add(Needs(NoModelError()))
    await keep(memory, "Tea")
    [job] = await calls.jobs(JobKind.REFLECT, ALICE)
    assert (await calls.look(job)).unasked
    [called] = await calls.call([job], seconds=0.5)
    assert (called.state, code_in(called.error)) == (JobState.READY, "no_model")


async def test_nobody_waits_for_the_end_of_a_conversation(memory, calls):
    """The job rests until it is over, and the call says so."""
    engine = memory._engine
    engine.background.worker.upkeep.add(Needs(StretchOpenError(utc_now() + timedelta(hours=1))))
    await keep(memory, "Tea")
    async with asyncio.timeout(WAIT / 2):
        [called] = await calls.call(await calls.jobs(JobKind.REFLECT, ALICE), seconds=WAIT)
    assert (called.state, code_in(called.error)) == (JobState.READY, StretchOpenError.code)


async def test_who_does_not_wait_is_told_that_it_goes_on(memory, calls):
    """The job is in the queue for whoever runs jobs."""
    await keep(memory, "Tea", "tea")
    [called] = await calls.call(await calls.jobs(JobKind.CONSOLIDATE, ALICE), seconds=0)
    assert (called.state, called.run) == (JobState.READY, None)
    assert await memory._engine.background.learning.flush(ALICE)
    run = await memory._engine.parts.state.runs.get("local", called.job.id)
    assert run.complete


async def test_the_time_to_wait_is_bounded(memory, calls):
    """A job that a part holds up is told as waiting, with the reason word of its last try."""
    await keep(memory, "Tea", "tea")
    upkeep = memory._engine.background.worker.upkeep
    broken = Breaks(memory._engine.parts.store, "list", StoreError("down"), times=-1)
    upkeep.add(KeepsFirst(broken))
    [called] = await calls.call(await calls.jobs(JobKind.CONSOLIDATE, ALICE), seconds=0.5)
    assert called.state is JobState.READY
    assert called.error.startswith("store_unavailable")


async def test_a_switch_that_is_off_holds_it_up(memory, calls):
    """Nothing is begun while somebody has turned learning off, and nobody waits in vain."""
    await keep(memory, "Tea", "tea")
    memory._engine.background.worker.paused = True
    async with asyncio.timeout(WAIT / 2):
        [called] = await calls.call(await calls.jobs(JobKind.CONSOLIDATE, ALICE), seconds=WAIT)
    assert called.state is JobState.READY


async def test_what_was_forgotten_meanwhile_has_ended(memory, calls):
    """Its job is gone, and nothing came of it."""
    await keep(memory, "Tea", "tea")
    memory._engine.background.worker.paused = True
    [called] = await calls.call(await calls.jobs(JobKind.CONSOLIDATE, ALICE), seconds=0)
    await memory.forget_all(user_id="alice")
    [found] = await calls._found([called.job])
    assert (found.state, found.run) == (JobState.DONE, None)


@pytest.mark.parametrize("kind", ["learn", "tidy", "", None, 3])
def test_an_unknown_kind_is_refused(calls, kind):
    """With those that can be asked for: learning is not among them."""
    with pytest.raises(InvalidInputError, match="expected one of judge, consolidate"):
        calls.kind_of(kind)


def test_a_judgement_has_no_dry_run(calls):
    """What a model would answer is not known before it is asked."""
    assert calls.kind_of("judge") is JobKind.JUDGE
    with pytest.raises(InvalidInputError, match="expected one of consolidate"):
        calls.kind_of("judge", dry=True)
