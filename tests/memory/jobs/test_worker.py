import asyncio
from datetime import timedelta

from recollect.memory.jobs.runs import RunOutcome
from recollect.memory.jobs.worker import BEATS
from recollect.memory.model.types import EventKind
from tests.memory.jobs.worker_world import OPTIONS, TEA, World, outcome
from tests.memory.learn.doubles import ALICE, NOON, Says
from tests.support.clock import Stepped
from tests.support.scripted import facts


async def test_learning(caplog):
    """A due job becomes memories with their evidence, and is done."""
    world = World(Says(TEA))
    await world.turn()
    run = await world.worker().run_one()
    assert (run.outcome, run.events) == (RunOutcome.LEARNED, (EventKind.ADD,))
    [item] = await world.store.list(ALICE, limit=None)
    assert item.text == "User likes tea"
    assert item.provenance.conversation_id == "c"
    assert item.provenance.turn_ids == ("c/t1",)
    assert (item.provenance.model, item.created_at) == ("says", NOON)
    assert world.asked == [("local", "m")]
    assert "I like tea" in world.model.heard()
    assert await world.jobs.counts() == {"ready": 0, "leased": 0, "done": 1, "dead": 0}
    assert await world.conversations.unlearned("c", 9) == []
    assert await outcome(world.worker()) is None
    assert caplog.records == []


async def test_turns_that_were_learned_already():
    """A job whose turns another one learned is done without asking a model."""
    world = World(Says(TEA))
    await world.turn()
    await world.conversations.mark_learned("c", 1)
    assert await outcome(world.worker()) is RunOutcome.NOTHING
    assert world.model.requests == []


async def test_only_the_jobs_turns_are_read():
    """A job reads what is unlearned up to its end; later turns are for the next."""
    world = World(Says(facts()))
    await world.turn("t1", text="first", job=False)
    await world.turn("t2", text="second")
    await world.turn("t3", text="third", job=False)
    await world.worker().run_one()
    heard = world.model.heard()
    assert heard.index("first") < heard.index("second")
    assert "third" not in heard
    assert [turn.user_text for turn in await world.conversations.unlearned("c", 9)] == ["third"]


async def test_a_job_is_shown_the_turns_before():
    """Up to five learned ones, to understand its own; facts of them are rejected."""
    hawaii = facts("User goes to Hawaii in June")
    world = World(Says(facts(), hawaii))
    for number in range(7):
        await world.turn(f"t{number}", text=f"earlier {number}, to Hawaii in June", job=number == 6)
    await world.worker().run_one()
    await world.turn("t7", text="it may cost 12,000 dollars")
    run = await world.worker().run_one()
    shown = world.model.requests[-1].messages[-1].content
    assert shown.index("earlier 6") < shown.index("12,000")
    assert "earlier 2" in shown
    assert "earlier 1" not in shown
    assert run.outcome is RunOutcome.REJECTED


async def test_a_long_job_keeps_its_lease():
    """While a worker lives its lease is renewed, however long the model takes."""

    class Slow(Says):
        async def complete(self, request):
            await enough.wait()
            return await super().complete(request)

    world, extended, enough = World(Slow(TEA)), [], asyncio.Event()
    world.clock = clock = Stepped(NOON)
    await world.turn()
    extend = world.jobs.extend

    async def noted(job, *, until):
        extended.append(until)
        return await extend(job, until=until)

    world.jobs.extend = noted
    run = asyncio.ensure_future(outcome(world.worker()))
    for _ in range(3):
        await clock.slept(OPTIONS.lease_seconds / BEATS)
    enough.set()
    assert await run is RunOutcome.LEARNED
    beats = [OPTIONS.lease_seconds * (BEATS + beat) / BEATS for beat in (1, 2, 3)]
    assert extended == [NOON + timedelta(seconds=seconds) for seconds in beats]
