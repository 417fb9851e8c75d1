"""Upkeep by call: what a run tells, what a dry run tells, and what taking one back does."""

from datetime import timedelta

import pytest

from recollect.memory.model.jobs import JobKind, Spent
from recollect.memory.model.types import utc_now
from recollect.memory.model.upkeep import UpkeepRun
from recollect.memory.util.tasks import Tasks
from tests.memory.api.client_parts import build, keep, texts
from tests.memory.learn.doubles import ALICE, NOON, Says
from tests.support.upkeep import KeepsFirst

USER = {"user_id": "alice"}


def looked_after(model=None, *, asks=False):
    memory = build(model)
    store = memory._engine.parts.store
    memory._engine.background.worker.upkeep.add(KeepsFirst(store, asks=asks))
    return memory


@pytest.fixture
async def memory():
    memory = looked_after()
    yield memory
    await memory._engine.close()


async def test_what_is_gone_is_not_taken_back(memory):
    """It is named; nothing that was forgotten comes back, and its text is told no more."""
    _, again = await keep(memory, "Likes tea", "likes TEA")
    [run] = (await memory.consolidate(**USER))["results"]
    await memory.forget(again)
    assert (await memory.upkeep.get(run["id"]))["changes"] == [{"id": again, "event": "DELETE"}]
    undone = await memory.upkeep.undo(run["id"])
    assert undone["kept"] == [{"id": again, "why": "it is gone"}]
    assert await texts(memory) == ["Likes tea"]


class Forgets(KeepsFirst):
    """Its user forgets everything while it plans."""

    def __init__(self, memory):
        super().__init__(memory._engine.parts.store)
        self.memory = memory

    async def plan(self, work):
        plan = await super().plan(work)
        await self.memory.forget_all(**USER)
        return plan


async def test_what_is_forgotten_during_a_run_stays_forgotten():
    """Nothing of the run is half done: no memory, no history and no run is left of it."""
    memory = looked_after()
    memory._engine.background.worker.upkeep.add(Forgets(memory))
    _, again = await keep(memory, "Likes tea", "likes TEA")
    [run] = (await memory.consolidate(**USER))["results"]
    assert (run["state"], run["changes"]) == ("done", [])
    everything = {"statuses": ["active", "superseded", "archived", "quarantined"]}
    assert (await memory.get_all(**USER, **everything))["results"] == []
    assert await memory.history(again) == []
    assert (await memory.upkeep.list())["results"] == []
    await memory._engine.close()


async def test_runs_are_listed_in_pages(memory):
    """Newest first, and of one kind if that is asked for."""
    runs = memory._engine.parts.state.runs
    for number in range(5):
        kind = JobKind.EPISODE if number % 2 else JobKind.CONSOLIDATE
        at = NOON + timedelta(minutes=number)
        await runs.keep(UpkeepRun(id=f"r{number}", scope=ALICE, kind=kind, at=at, reason="call"))

    async def names(**asked):
        return "".join(one["id"][1] for one in (await memory.upkeep.list(**asked))["results"])

    assert await names() == "43210"
    assert await names(limit=2, offset=1, **USER) == "32"
    assert await names(kind="episode") == "31"
    assert await names(kind="reflect") == ""


async def test_why_a_part_rested_is_told():
    """No model, or the tokens of the day are spent; what needs no model is done."""
    for model, word in ((None, "no_model"), (Says("yes"), "upkeep_budget_spent")):
        memory = looked_after(Says("unused"), asks=True)
        engine = memory._engine

        async def models(_tenant, _name, model=model):
            return model

        engine.background.worker.extracting._models = models
        if model is not None:
            today = utc_now().date()
            ledger = engine.parts.state.ledger
            await ledger.spend("local", today, Spent(1, 100_000, 0), kind=JobKind.REFLECT)
        await keep(memory, "Likes tea", "likes TEA")
        [planned] = (await memory.consolidate(dry_run=True, **USER))["results"]
        [run] = (await memory.consolidate(**USER))["results"]
        assert (planned["rested"], run["rested"]) == (word, word)
        assert await texts(memory) == ["Likes tea"]
        await engine.close()


async def test_a_model_that_is_asked_is_charged_to_the_tenant():
    """By kind; a dry run too, for the model was asked."""
    model = Says("yes")
    memory = looked_after(model, asks=True)
    await keep(memory, "Likes tea")
    await memory.consolidate(dry_run=True, **USER)
    await memory.consolidate(**USER)
    assert len(model.requests) == 2
    totals = (await memory.stats())["totals"]
    assert (totals["consolidate_calls"], totals["upkeep_calls"]) == (2, 2)
    assert totals["extraction_calls"] == 0
    await memory._engine.close()


async def test_a_call_that_is_given_up_goes_on(memory):
    """Whoever waits may leave; the job is not begun twice."""
    await keep(memory, "Likes tea", "likes TEA")
    waiting = Tasks()
    waiting.start(memory.consolidate(**USER), name="call")
    await waiting.drain(0)
    await memory.upkeep.run("consolidate", **USER)
    assert await texts(memory) == ["Likes tea"]
