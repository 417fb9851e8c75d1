"""Upkeep that is asked for: one job for each scope, and what became of it."""

import asyncio

import pytest

from recollect.memory.jobs.upkeep import CALL
from recollect.memory.model.errors import InvalidInputError, StoreError
from recollect.memory.model.jobs import JobKind, JobState
from recollect.memory.model.types import Scope
from tests.memory.api.client_parts import build, keep
from tests.memory.learn.doubles import ALICE, NOON, Breaks, a_turn
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
        turn = a_turn(f"t{number}", name, WORK, "Hello", "Hi", NOON)
        await memory._engine.parts.state.conversations.record(turn)
    jobs = await calls.jobs(JobKind.EPISODE, ALICE)
    assert {(job.scope, job.conversation_id, job.upto_seq) for job in jobs} == {
        (WORK, "c", 2),
        (WORK, "d", 1),
    }
    assert await calls.jobs(JobKind.CONSOLIDATE, ALICE) == []


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
