"""A worker that dies or loses its job somewhere: nothing is lost, nothing is there twice."""

import asyncio
import contextlib
from itertools import count

import pytest

from recollect.memory.jobs.runs import RunOutcome
from recollect.memory.learn import SaidAfter
from recollect.memory.model.errors import ModelError, StateError
from recollect.memory.model.types import EventKind
from tests.memory.jobs.worker_world import (
    AGAIN,
    OPTIONS,
    TEA,
    TEA_AND_CAT,
    Killed,
    World,
    drain,
    outcome,
)
from tests.memory.learn.doubles import ALICE, NOON, Breaks, Chokes, Says
from tests.support.clock import Stepped
from tests.support.folding import rows
from tests.support.scripted import facts

TABLES_WRITTEN = ("memories", "memory_history", "turns", "jobs")
APPLIED = [EventKind.ADD, EventKind.ADD]
"""The two memories."""


async def test_a_job_that_kills_its_worker_dies_itself():
    """Claims count, so that a job no worker survives is buried without being run again."""
    world = World(Says(TEA))
    await world.turn()
    for _ in range(OPTIONS.max_attempts):
        assert await world.jobs.claim(now=world.now, lease_seconds=60)
        world.wait(61)
    assert await outcome(world.worker()) is RunOutcome.DEAD
    assert world.model.requests == []
    assert (await world.jobs.counts())["dead"] == 1


@rows("method", ["ack", "save_checkpoint", "retry", "dead_letter"])
async def test_a_lost_lease_changes_nothing(method):
    """Who lost the lease says so, whatever it wanted to do with the job, and ends nothing."""
    model = {"ack": Says(TEA), "save_checkpoint": Says(TEA)}.get(method, Says(ModelError("down")))
    world = World(
        model, OPTIONS.model_copy(update={"max_attempts": 1 if method == "dead_letter" else 3})
    )
    await world.turn()

    class Stolen(Breaks):
        """Another worker takes the job over just before `method`."""

        def __getattr__(self, name):
            found = getattr(self._inner, name)

            async def stolen(*args, **kwargs):
                world.wait(61)
                assert await self._inner.claim(now=world.now, lease_seconds=60)
                return await found(*args, **kwargs)

            return stolen if name == self._method else found

    jobs = Stolen(world.jobs, method, StateError(""))
    assert await outcome(world.worker(jobs=jobs)) is RunOutcome.LOST
    assert await world.jobs.counts() == {"ready": 0, "leased": 1, "done": 0, "dead": 0}
    assert await world.memories() == []
    assert len(await world.conversations.unlearned("c", 1)) == 1


async def test_killed_at_any_statement():
    """Either all is there, or nothing; another worker goes on when the lease has run out."""
    for number in count(1):
        world = World(Says(TEA_AND_CAT))
        await world.turn(text="I like tea. I have a cat.")
        world.scripts.left = number
        with contextlib.suppress(Killed):
            await world.worker().run_one()
        if world.scripts.left > 0:
            assert number > len(TABLES_WRITTEN)
            return
        world.scripts.left = 0
        done = (await world.jobs.counts())["done"]
        assert len(await world.memories()) == 2 * done
        assert len(await world.conversations.unlearned("c", 1)) == 1 - done
        assert len(await world.conversations.recent(ALICE, limit=9)) == 1 - done
        world.wait(61)
        await drain(world.worker())
        # A second time only if it died before the answer was kept.
        assert len(world.model.requests) <= 2
        assert sorted(await world.memories()) == ["User has a cat", "User likes tea"]
        assert sorted(await world.rows()) == APPLIED
        assert await world.jobs.depth() == 0


async def test_a_lease_that_ends_while_the_end_is_written():
    """The transaction tests the lease itself: a renewal in between takes the job from nobody."""
    world = World(Says(TEA))
    world.clock = clock = Stepped(NOON)
    await world.turn()
    worker = world.worker()
    carry_out = worker._learner.carry_out

    async def slow(*given, **more):
        done = await carry_out(*given, **more)
        await clock.slept(OPTIONS.lease_seconds / 3)
        await clock.step(OPTIONS.lease_seconds / 3)
        return done

    worker._learner.carry_out = slow
    assert await outcome(worker) is RunOutcome.LEARNED


async def test_a_checkpoint_keeps_all_that_was_decided():
    """A try that goes on with it marks no turn as remembered whose fact could not be embedded."""
    world = World(Says(facts("User likes tea", "User has poison")))
    world.embedder = Chokes()
    await world.turn(text="I like tea. I have poison.")
    broken = Breaks(world.conversations, "mark_learned", StateError("gone"))
    assert await outcome(world.worker(conversations=broken)) in AGAIN
    world.wait(10)
    run = await world.worker().run_one()
    assert (run.outcome, run.rejected) == (RunOutcome.LEARNED, {"not_embedded": 1})
    assert len(await world.conversations.recent(ALICE, limit=9)) == 1
    assert len(world.model.requests) == 1


@rows(
    "checkpoint", ["{", "[{}]", "[7]", '{"decisions": "[7]"}', '[{"event": "GROW", "type": "x"}]']
)
async def test_an_unreadable_checkpoint_is_decided_again(checkpoint):
    """Another version's or a damaged checkpoint costs a call of the model, not the job."""
    world = World(Says(TEA))
    await world.turn()
    job = await world.jobs.claim(now=world.now, lease_seconds=60)
    await world.jobs.save_checkpoint(job, checkpoint)
    world.wait(61)
    assert await outcome(world.worker()) is RunOutcome.LEARNED
    assert await world.memories() == ["User likes tea"]


async def test_an_empty_checkpoint_is_a_decision():
    """That there was nothing to learn is remembered as well."""
    world = World(Says(facts(), TEA))
    await world.turn()
    broken = Breaks(world.conversations, "mark_learned", StateError("gone"))
    worker = world.worker(conversations=broken)
    assert await outcome(worker) in AGAIN
    world.wait(10)
    assert await outcome(worker) is RunOutcome.NOTHING
    assert len(world.model.requests) == 1


async def test_a_stopped_worker_gives_its_job_back():
    """A shutdown is no attempt, and another worker may go on at once."""
    started = asyncio.Event()

    class Hangs(Says):
        async def complete(self, request):
            started.set()
            await asyncio.Event().wait()

    world = World(Hangs(TEA))
    await world.turn()
    task = asyncio.ensure_future(world.worker().run_one())
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    world.model = Says(TEA)
    run = await world.worker().run_one()
    assert (run.outcome, run.job.attempts) == (RunOutcome.LEARNED, 1)


async def test_what_was_forgotten_while_it_was_learned_stays_away():
    """A cancelled job writes nothing, and whoever claims it next cleans up after it."""
    world = World(Says(TEA))
    await world.turn()

    class Forgets(Says):
        async def complete(self, request):
            await world.jobs.erase(ALICE)
            await world.conversations.erase(ALICE)
            return await super().complete(request)

    world.model = Forgets(TEA)
    assert await outcome(world.worker()) is RunOutcome.LOST
    world.wait(61)
    assert await outcome(world.worker()) is RunOutcome.FORGOTTEN
    assert await world.memories() == []
    assert await world.jobs.depth() == 0
    assert await world.conversations.unlearned("c", 9) == []


async def test_what_was_judged_while_a_turn_was_learned_stays_judged():
    """What stays of its words is found again, by what somebody noted; the model is not asked again."""
    world = World(Says(TEA))
    await world.turn()
    worker = world.worker()

    async def left(*_given):
        [each] = await world.conversations.recent(ALICE, limit=9)
        if each.note is None:
            await world.conversations.annotate([(each, "judged")])
        return SaidAfter([(each, f"{each.note}, learned")])

    worker.left = left
    assert await outcome(worker) is RunOutcome.WAITING
    assert await world.memories() == []
    assert await outcome(worker) is RunOutcome.LEARNED
    assert await world.conversations.scripts.statement("SELECT note FROM turns", {}) == [
        ("judged, learned",)
    ]
    assert len(world.model.requests) == 1
