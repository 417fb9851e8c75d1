"""Runs of upkeep with scripted steps: whole or not there after every crash, and taken back."""

from __future__ import annotations

from contextlib import suppress
from itertools import count

import pytest

from recollect.memory.jobs.runs import RunOutcome
from recollect.memory.jobs.upkeep import AGAIN, upkeep_job
from recollect.memory.learn.records import memory_id
from recollect.memory.model.errors import NotFoundError, StoreError
from recollect.memory.model.jobs import JobKind, Spent
from recollect.memory.model.types import (
    ChatRequest,
    EventKind,
    MemoryStatus,
    Message,
    Source,
    StoredMemory,
)
from recollect.memory.upkeep import UpkeepPlan
from tests.memory.jobs.worker_world import Killed, World, drain, outcome
from tests.memory.learn.doubles import ALICE, BOB, NOON, Breaks, Says, a_decision, a_memory

TEXTS = {"a": "User likes tea", "b": "User likes green tea", "c": "User lives in Lyon"}
SUMMARY = "User likes tea, green tea above all"
ALL = frozenset(MemoryStatus)


class Scripted:
    """Ends `a`, archives `b`, rewords `c`, and adds a summary of the first two."""

    kind = JobKind.CONSOLIDATE

    def __init__(self, *, asks: bool = False, more: bool = False) -> None:
        self.asks, self.more = asks, more
        self.planned = 0

    async def plan(self, work):
        self.planned += 1
        if self.asks and work.model is not None:
            asked = [Message(role="user", content="?")]
            await work.model.complete(ChatRequest(messages=asked))
        job_id = work.job.id
        if job_id.endswith(AGAIN):
            return UpkeepPlan()
        return UpkeepPlan(
            (
                decision(EventKind.ADD, memory_id(job_id, SUMMARY), SUMMARY, cites=("a", "b")),
                decision(EventKind.DELETE, "a", TEXTS["a"], old=TEXTS["a"]),
                decision(EventKind.ARCHIVE, "b", TEXTS["b"], old=TEXTS["b"]),
                decision(EventKind.UPDATE, "c", "User lives in Lyon, France", old=TEXTS["c"]),
            ),
            {"merged": 1},
            unasked=self.asks and work.model is None,
            more=self.more,
        )


def decision(event, name, text, *, old=None, **fields):
    return a_decision(
        event, name, text, old_text=old, stage="scripted", source=Source.EXTRACTION, **fields
    )


async def given(world, scope=ALICE):
    for name, text in TEXTS.items():
        [vector] = await world.embedder.embed([text])
        item = a_memory(name, text, scope, NOON, valid_from=NOON, embedder_id=world.embedder.id)
        await world.store.put([StoredMemory(item, vector)])


async def stands(world):
    """By text, the status of every memory that is no earlier version."""
    items = await world.store.list(ALICE, limit=None, statuses=ALL)
    return {i.text: i.status.value for i in items if i.provenance.superseded_by is None}


AFTER = {
    SUMMARY: "active",
    TEXTS["a"]: "superseded",
    TEXTS["b"]: "archived",
    "User lives in Lyon, France": "active",
}
BEFORE = dict.fromkeys(TEXTS.values(), "active")
JOB = upkeep_job(JobKind.CONSOLIDATE, ALICE, "one", reason="call")


def worker_with(world, step, **parts):
    worker = world.worker(**parts)
    worker.upkeep.add(step)
    return worker


async def test_a_run_does_what_its_step_plans_and_is_kept():
    """The memories change, the run tells each change, and the summary names what it cites."""
    world, step = World(None), Scripted()
    await given(world)
    await world.jobs.put(JOB)
    assert await outcome(worker_with(world, step)) is RunOutcome.LEARNED
    assert await stands(world) == AFTER
    [run] = await world.runs.newest(ALICE, limit=9)
    told = {change.memory_id: (change.event, change.version) for change in run.changes}
    assert told == {
        memory_id(JOB.id, SUMMARY): (EventKind.ADD, 1),
        "a": (EventKind.DELETE, 2),
        "b": (EventKind.ARCHIVE, 2),
        "c": (EventKind.UPDATE, 2),
    }
    assert (run.reason, run.figures) == ("call", {"merged": 1})
    [summary] = await world.store.get("local", [memory_id(JOB.id, SUMMARY)])
    assert summary.provenance.cites == ("a", "b")
    assert step.planned == 1


async def test_what_somebody_changed_since_is_not_taken_back():
    """It is named with the reason; the rest comes back."""
    world = World(None)
    await given(world)
    await world.jobs.put(JOB)
    worker = worker_with(world, Scripted())
    await drain(worker)
    other = upkeep_job(JobKind.CONSOLIDATE, ALICE, "two", reason="call")

    class Rewords(Scripted):
        async def plan(self, work):
            del work
            known = "User lives in Lyon, France"
            return UpkeepPlan((decision(EventKind.UPDATE, "c", "User lives in Nice", old=known),))

    worker.upkeep.add(Rewords())
    await world.jobs.put(other)
    await drain(worker)
    _, undone = await worker.upkeep.undo("local", JOB.id)
    assert undone.kept == {"c": "it was changed since"}
    assert (await stands(world))["User lives in Nice"] == "active"
    assert (await stands(world))[TEXTS["a"]] == "active"


async def test_only_the_tenants_own_runs_are_taken_back():
    """Another tenant's id is unknown, and so is a job that has not ended."""
    world = World(None)
    await given(world)
    await world.jobs.put(JOB)
    broken = Breaks(world.store, "put", StoreError("down"))
    await worker_with(world, Scripted(), store=broken).run_one()
    worker = worker_with(world, Scripted())
    with pytest.raises(NotFoundError):
        await worker.upkeep.undo("local", JOB.id)
    world.wait(61)
    await drain(worker)
    with pytest.raises(NotFoundError):
        await worker.upkeep.undo("other", JOB.id)


async def test_what_changes_nothing_is_no_change_of_a_run():
    """A decision that does not hold any more is not listed, and nothing of it is taken back."""
    world, step = World(None), Scripted()
    await given(world)
    [vector] = await world.embedder.embed(["User drinks tea"])
    item = a_memory("a", "User drinks tea", ALICE, NOON, valid_from=NOON, version=2)
    await world.store.put([StoredMemory(item, vector)])
    await world.jobs.put(JOB)
    worker = worker_with(world, step)
    await drain(worker)
    [run] = await world.runs.newest(ALICE, limit=9)
    assert "a" not in {change.memory_id for change in run.changes}
    _, undone = await worker.upkeep.undo("local", JOB.id)
    assert undone.kept == {}


async def test_upkeep_asks_no_model_beyond_its_budget():
    """Its tokens of the day are spent: what needs no model is done, and learning goes on.

    On the next day it asks again.
    """
    model = Says("yes")
    world = World(model)
    await given(world)
    today = world.now.date()
    await world.ledger.spend("local", today, Spent(1, 99_990, 10), kind=JobKind.EPISODE)
    await world.jobs.put(JOB)
    worker = worker_with(world, Scripted(asks=True))
    await drain(worker)
    [run] = await world.runs.newest(ALICE, limit=9)
    assert (run.unasked, model.requests) == (True, [])
    assert await stands(world) == AFTER
    assert (await world.ledger.spent("local", today)).calls == 0
    world.wait(86_400)
    await world.jobs.put(upkeep_job(JobKind.CONSOLIDATE, ALICE, "two", reason="call"))
    await drain(worker)
    assert len(model.requests) == 1
    spent = (await world.ledger.between("local", today, world.now.date()))[world.now.date()]
    assert spent.keys() == {JobKind.CONSOLIDATE}


async def test_a_worker_that_dies_at_any_statement_leaves_all_of_a_run_or_nothing():
    """Nothing is lost or there twice, no memory is changed twice, and it can be taken back."""
    for number in count(1):
        world, step = World(None), Scripted(more=True)
        await given(world)
        await world.jobs.put(JOB)
        world.scripts.left = number
        with suppress(Killed):
            await worker_with(world, step).run_one()
        if world.scripts.left > 0:
            assert number > len(TEXTS)
            return
        world.scripts.left = 0
        there = await world.runs.get("local", JOB.id)
        assert await stands(world) == (BEFORE if there is None else AFTER)
        assert (await world.jobs.counts())["done"] == (there is not None)
        world.wait(61)
        worker = worker_with(world, step)
        [*_, run] = [each.job.id for each in await drain(worker)]
        assert run == f"{JOB.id}{AGAIN}"
        assert await stands(world) == AFTER
        items = await world.store.get("local", ["a", "b", "c"])
        assert [item.version for item in sorted(items, key=lambda one: one.id)] == [2, 2, 2]
        await worker.upkeep.undo("local", JOB.id)
        assert await stands(world) == {**BEFORE, SUMMARY: "superseded"}


async def test_who_dies_at_any_statement_while_a_run_is_taken_back():
    """It is taken back with all of its changes, or not at all."""
    for number in count(1):
        world = World(None)
        await given(world)
        await world.jobs.put(JOB)
        worker = worker_with(world, Scripted())
        await drain(worker)
        world.scripts.left = number
        with suppress(Killed):
            await worker.upkeep.undo("local", JOB.id)
        if world.scripts.left > 0:
            assert number > len(TEXTS)
            return
        world.scripts.left = 0
        run = await world.runs.get("local", JOB.id)
        back = {**BEFORE, SUMMARY: "superseded"}
        assert await stands(world) == (AFTER if run.undone_at is None else back)
        _, undone = await worker.upkeep.undo("local", JOB.id)
        assert undone.kept == {}
        assert await stands(world) == back


async def test_a_job_that_kills_its_worker_ends_and_gives_up_no_turns():
    """Turns of the conversation that it names still wait to be learned."""
    world = World(None)
    await world.turn("t1", job=False)
    job = upkeep_job(JobKind.EPISODE, ALICE, "c", reason="idle", conversation_id="c", upto=1)
    await world.jobs.put(job)
    for _ in range(3):
        assert await world.jobs.claim(now=world.now, lease_seconds=60)
        world.wait(61)
    assert await outcome(world.worker()) is RunOutcome.DEAD
    assert len(await world.conversations.unlearned("c", 1)) == 1


async def test_a_kind_without_a_step_rests():
    """A job of a later version in the queue is no error."""
    world = World(None)
    await world.jobs.put(upkeep_job(JobKind.REFLECT, BOB, "x", reason="call"))
    assert await outcome(world.worker()) is RunOutcome.NOTHING
