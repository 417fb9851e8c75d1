"""Jobs that judge what is pending, with the parts in memory."""

import json
from dataclasses import replace

from recollect.memory.jobs.conflicts import CONFLICTS
from recollect.memory.jobs.runs import RunOutcome
from recollect.memory.model.errors import ModelUnavailableError
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import MemoryStatus, Provenance, Source, StoredMemory
from tests.memory.learn.doubles import ALICE, BOB, NOON, Says, a_memory
from tests.support.scripted import facts

from .worker_world import OPTIONS, World, drain

RENT, RAISED = "User's rent is 900 EUR", "User's rent is 950 EUR"
JUDGE = JobKind.JUDGE
TABLES_WRITTEN = ("memories", "memory_history", "upkeep_runs", "jobs")
SUPERSEDED = frozenset({MemoryStatus.SUPERSEDED})


def answers(event, known=1):
    return json.dumps({"decisions": [{"fact": 1, "event": event, "known": known, "text": None}]})


async def stored(world, text, name, *, scope=ALICE, **origin):
    [vector] = await world.embedder.embed([text])
    item = a_memory(
        name, text, scope, NOON, provenance=Provenance(source=Source.EXTRACTION, **origin)
    )
    await world.store.put([StoredMemory(item, vector)])


async def ended(world):
    return [item.text for item in await world.store.list(ALICE, limit=None, statuses=SUPERSEDED)]


async def test_what_a_model_could_not_be_asked_is_asked_later():
    """Of any batch of a scope: the fact is there at once, and the newer one replaces later."""
    down = ModelUnavailableError("down")
    world = World(Says(facts(), facts(RAISED), down, down, answers("UPDATE")), OPTIONS)
    worker = world.worker()
    await world.turn(conversation="earlier", text="Hello")
    assert [run.job.reason for run in await drain(worker)] == ["turns"]
    await stored(world, RENT, "old", matter="old")
    await world.turn(text="My rent is 950 EUR")
    first, second = await drain(worker)
    assert (first.outcome, second.outcome) == (RunOutcome.LEARNED, RunOutcome.WAITING)
    assert second.job.reason == CONFLICTS
    assert sorted(await world.memories()) == [RENT, RAISED]
    world.wait(3600)
    [third] = await drain(worker)
    assert third.outcome is RunOutcome.LEARNED
    assert (await world.memories(), await ended(world)) == ([RAISED], [RENT])
    [item] = await world.store.list(ALICE, limit=None)
    assert (item.provenance.pending, item.provenance.matter) == ((), "old")


async def test_a_model_that_cannot_read_the_question_is_not_asked_again_and_again():
    """What it left pending stays in the list; no job is made of it."""
    world = World(Says(facts(RAISED), "no idea"), OPTIONS)
    await stored(world, RENT, "old", matter="old")
    await world.turn(text="My rent is 950 EUR")
    [run] = await drain(world.worker())
    assert run.outcome is RunOutcome.LEARNED
    assert len(world.model.requests) == 2
    items = await world.store.list(ALICE, limit=None)
    assert [item.provenance.pending for item in items if item.text == RAISED] == [("old",)]


async def test_a_scope_is_looked_at_once():
    """What waits in it is asked about in one job, however many batches follow."""
    world = World(Says(cat_or_new), OPTIONS)
    await stored(world, RENT, "old")
    await stored(world, RAISED, "raised")
    for conversation in ("c1", "c2"):
        await world.turn(conversation=conversation, text="I have a cat")
    reasons = [run.job.reason for run in await drain(world.worker())]
    assert reasons.count(CONFLICTS) == 1


async def test_nobody_elses_memories_are_looked_at():
    """A job is about exactly one scope."""
    narrow = replace(ALICE, agent_id="coach")
    world = World(Says(facts("User has a cat"), answers("UPDATE")), OPTIONS)
    for number, scope in enumerate((BOB, narrow)):
        await stored(world, RENT, f"old{number}", scope=scope)
        await stored(world, RAISED, f"raised{number}", scope=scope)
    await world.turn(text="I have a cat")
    assert [run.job.reason for run in await drain(world.worker())] == ["turns"]


async def test_many_are_settled_in_several_jobs():
    """However many wait, each job asks about a bounded number, and all are done in the end."""
    world = World(Says(cat_or_new), OPTIONS)
    for number in range(60):
        await stored(world, f"User saw film {number} on a Monday", f"film{number:02}")
    await world.turn(text="I have a cat")
    await drain(world.worker())
    items = await world.store.list(ALICE, limit=None)
    assert len(items) == 61
    assert all(item.provenance.matter and not item.provenance.pending for item in items)


def cat_or_new(request):
    """The fact of the turn, and ADD for each fact that is asked about."""
    count = request.messages[-1].content.count("New fact")
    if not count:
        return facts("User has a cat")
    rows = [{"fact": n, "event": "ADD", "known": None, "text": None} for n in range(1, count + 1)]
    return json.dumps({"decisions": rows})
