"""Tries, waits and dead jobs: what a worker does about parts and models that fail."""

import asyncio

from recollect.memory.jobs.runs import RunOutcome
from recollect.memory.model.errors import (
    EmbeddingError,
    ModelUnavailableError,
    StateError,
    StoreError,
    code_in,
)
from recollect.memory.model.types import EventKind, JobState, Spent
from tests.memory.jobs.worker_world import AGAIN, OPTIONS, TEA, World, drain, outcome
from tests.memory.learn.doubles import Breaks, Says
from tests.support.folding import rows
from tests.support.scripted import facts


def answers_but(poison):
    """A model that reads everything but texts with a certain word."""
    return Says(lambda request: "prose" if poison in request.messages[1].content else TEA)


async def test_poison_is_buried_and_counted(caplog):
    """What a model that reads others cannot read is dead after two tries, and in nobody's way."""
    world = World(answers_but("poison"))
    await world.turn(text="fine")
    for name in ("a", "b"):
        await world.turn(conversation=name, text=f"poison {name}")
        await world.turn(conversation=f"{name} next", text="fine")
    outcomes = []
    for _ in range(6):
        world.wait(100)
        outcomes += [run.outcome for run in await drain(world.worker())]
    assert outcomes.count(RunOutcome.DEAD) == 2
    assert outcomes.count(RunOutcome.RETRY) == 2
    assert (await world.jobs.counts())["dead"] == 2
    reports = await world.jobs.reports(state=JobState.DEAD)
    assert {code_in(report.error) for report in reports} == {"turns_unread"}
    assert all(report.raw == "prose" for report in reports)
    assert [r.levelname for r in caplog.records].count("ERROR") == 2


async def test_a_dead_job_can_be_tried_again():
    """Revived, it learns just its own turns; what the model had said can be looked at before."""
    world = World(Says("this is no answer"))
    await world.turn("t1", text="I like tea")
    for _ in range(3):
        await world.worker().run_one()
        world.wait(100)
    [report] = await world.jobs.reports(state=JobState.DEAD)
    assert "this is no answer" in report.raw
    world.model = Says(facts())
    world.wait(3600)
    await world.turn("t2", text="and coffee")
    await world.worker().run_one()
    world.model = Says(TEA)
    assert await world.jobs.revive(report.job.id)
    assert await outcome(world.worker()) is RunOutcome.LEARNED
    assert "and coffee" not in world.model.heard()
    assert await world.memories() == ["User likes tea"]


@rows("error", [ModelUnavailableError("no connection"), StoreError("gone"), StateError("gone")])
async def test_an_outage_is_no_attempt(error):
    """However long a part is down, no job dies of it; the waits grow up to their bound."""
    world = World(Says(TEA), OPTIONS.model_copy(update={"max_retry_seconds": 40}))
    await world.turn()
    worker = world.worker(store=Breaks(world.store, "search_each", error, times=5))
    for seconds in (10, 20, 40, 40, 40):
        assert await outcome(worker) is RunOutcome.WAITING
        world.wait(seconds - 1)
        assert await outcome(worker) is None
        world.wait(1)
    run = await worker.run_one()
    assert (run.outcome, run.job.attempts) == (RunOutcome.LEARNED, 1)


@rows(
    "part, method, error",
    [
        ("embedder", "embed", EmbeddingError),
        ("store", "search_each", StoreError),
        ("conversations", "unlearned", StateError),
        ("jobs", "save_checkpoint", StateError),
        ("jobs", "ack", StateError),
    ],
)
async def test_any_part_may_fail_for_a_while(part, method, error):
    """A failure of any part is a retry, and in the end the memory is there once."""
    world = World(Says(TEA))
    await world.turn()
    worker = world.worker(**{part: Breaks(getattr(world, part), method, error("gone"))})
    assert await outcome(worker) in AGAIN
    world.wait(10)
    assert await outcome(worker) in {RunOutcome.LEARNED, RunOutcome.NOTHING}
    assert await world.memories() == ["User likes tea"]
    assert await world.rows() == [EventKind.ADD]


async def test_a_hung_model_is_given_up(monkeypatch):
    """A call that never returns ends with the time a try may take, and counts as one."""

    class Hangs(Says):
        async def complete(self, request):
            await asyncio.Event().wait()

    world = World(Hangs(TEA))
    monkeypatch.setattr("recollect.memory.learn.options.JOB_SECONDS", 0.02)
    await world.turn()
    run = await world.worker().run_one()
    assert (run.outcome, run.job.attempts) == (RunOutcome.RETRY, 1)
    assert run.failure == "job_timeout"


async def test_a_spent_budget_waits_for_tomorrow():
    """The job is kept for the next day (UTC), and nothing is asked until then."""
    world = World(Says(TEA), OPTIONS.model_copy(update={"daily_tokens": 1}))
    await world.ledger.spend("local", world.now.date(), Spent(1, 5, 5))
    await world.turn()
    worker = world.worker()
    assert await outcome(worker) is RunOutcome.WAITING
    assert world.model.requests == []
    world.wait(11 * 3600)
    assert await outcome(worker) is None
    world.wait(3600)
    assert await outcome(worker) is RunOutcome.LEARNED
    assert (await world.ledger.spent("local", world.now.date())).calls == 1
