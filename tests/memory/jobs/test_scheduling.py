"""Scopes are consolidated by themselves: on a threshold, by schedule, and no more often."""

import pytest

from recollect.memory.jobs.scheduling import LEAST_SECONDS, MOST_OPEN, ConsolidationSchedule
from recollect.memory.model.errors import StateError
from recollect.memory.model.jobs import JobKind, JobState, Spent
from recollect.memory.model.types import Scope, StoredMemory
from recollect.memory.upkeep import UpkeepOptions, UpkeepPlan
from tests.memory.jobs.worker_world import World, drain
from tests.memory.learn.doubles import ALICE, BOB, Says, a_memory
from tests.support.clock import Telling

OPTIONS = UpkeepOptions()
FEW = 5
DAY = 86_400


@pytest.fixture(autouse=True)
def _few(monkeypatch):
    """A few new memories are enough."""
    monkeypatch.setattr("recollect.memory.upkeep.consolidate.schedule.AFTER_MEMORIES", FEW)


class Notes:
    """A step that changes nothing, and notes whom it was run for."""

    kind = JobKind.CONSOLIDATE

    def __init__(self, *, asks=False):
        self.asks = asks
        self.scopes = []

    async def plan(self, work):
        self.scopes.append(work.scope)
        return UpkeepPlan(unasked=self.asks and work.model is None)


class Scheduled:
    """A world whose scopes are looked at."""

    def __init__(self, options=OPTIONS, *, model=None, step=None):
        self.world = World(model)
        self.step = step or Notes()
        self.worker = self.world.worker()
        self.worker.upkeep.add(self.step)
        self.woken = 0
        self.options = options
        self.schedule = self.another()

    def another(self):
        """As a second process, or the same after a restart."""
        world, worker = self.world, self.worker
        return ConsolidationSchedule(
            world.store,
            worker_state(world),
            worker.upkeep,
            worker.extracting,
            self.options,
            on_due=self.wake,
            clock=Telling(lambda: world.now),
        )

    def wake(self):
        self.woken += 1

    async def given(self, count, scope=ALICE, *, at=None, name=""):
        moment = at or self.world.now
        for number in range(count):
            text = f"{scope.tenant} {scope.ids()} {name}{moment} {number}"
            [vector] = await self.world.embedder.embed([text])
            item = a_memory(text, text, scope, moment)
            await self.world.store.put([StoredMemory(item, vector)])

    async def look(self, *, seconds=LEAST_SECONDS):
        """The jobs that a round adds, after they have run."""
        added = await self.schedule.look()
        await drain(self.worker)
        self.world.wait(seconds)
        return added

    async def reasons(self):
        found = await self.world.jobs.reports(limit=99)
        return sorted((report.job.scope.user_id, report.job.reason) for report in found)


def worker_state(world):
    class Parts:
        jobs, runs = world.jobs, world.runs

    return Parts


async def test_a_scope_with_many_new_memories_is_consolidated():
    """Once there are so many, and again after as many more; whoever runs jobs is woken."""
    given = Scheduled()
    await given.given(4)
    assert await given.look() == 0
    await given.given(1)
    assert await given.look() == 1
    assert (given.step.scopes, given.woken) == ([ALICE], 1)
    await given.given(4)
    assert await given.look() == 0
    await given.given(1)
    assert await given.look() == 1
    assert await given.reasons() == [("alice", "threshold")] * 2


async def test_a_scope_is_consolidated_after_a_day_if_something_was_changed():
    """One that is as it was is left alone for ever."""
    given = Scheduled()
    await given.given(2)
    assert await given.look(seconds=DAY) == 0
    assert await given.look(seconds=DAY) == 1
    for _ in range(3):
        assert await given.look(seconds=DAY) == 0
    await given.given(1)
    assert await given.look() == 1
    assert await given.reasons() == [("alice", "schedule")] * 2


async def test_two_processes_add_one_job():
    """Both look before it has run."""
    given = Scheduled()
    await given.given(5)
    other = given.another()
    assert (await given.schedule.look(), await other.look()) == (1, 0)


async def test_few_jobs_wait_at_a_time_and_tenants_take_turns():
    """Learning is not held up by a large tenant's upkeep, nor is a small tenant's."""
    given = Scheduled()
    for number in range(MOST_OPEN + 2):
        await given.given(5, Scope(tenant="large", user_id=f"u{number}"))
    small = Scope(tenant="small", user_id="only")
    await given.given(5, small)
    assert await given.schedule.look() == MOST_OPEN
    assert await given.schedule.look() == 0
    tenants = {report.job.scope.tenant for report in await given.world.jobs.reports()}
    assert tenants == {"large", "small"}
    await drain(given.worker)
    assert await given.look() == 3
    assert len(given.step.scopes) == MOST_OPEN + 3


async def test_what_rested_is_tried_again_once_a_model_may_be_asked():
    """Not without one, and not while the tokens of the day are spent."""
    given = Scheduled(step=Notes(asks=True))
    await given.given(5)
    assert await given.look(seconds=DAY) == 1
    assert await given.look(seconds=DAY) == 0
    given.world.model = Says("yes")
    today = given.world.now.date()
    await given.world.ledger.spend("local", today, Spent(1, 100_000, 0), kind=JobKind.EPISODE)
    assert await given.look(seconds=DAY) == 0
    assert await given.look(seconds=DAY) == 1
    assert await given.look(seconds=DAY) == 0


async def test_a_job_that_dies_is_followed_by_another_on_the_next_day():
    """It blocks neither its scope nor others for ever."""
    given = Scheduled()
    await given.given(5)
    await given.schedule.look()
    job = await given.world.jobs.claim(now=given.world.now, lease_seconds=60)
    await given.world.jobs.dead_letter(job, error="worker_died: no")
    given.world.wait(LEAST_SECONDS)
    assert await given.look(seconds=DAY) == 0
    assert await given.look() == 1
    counts = await given.world.jobs.counts()
    assert (counts[JobState.DEAD], counts[JobState.DONE]) == (1, 1)


async def test_a_part_that_is_down_stops_one_round_only():
    """The next one goes on with the other scopes, and the next count finds the first again."""
    given = Scheduled()
    await given.given(5)
    await given.given(5, BOB)
    newest, fails = given.world.runs.newest, [StateError("down")]

    async def failing(*asked, **more):
        if fails:
            raise fails.pop()
        return await newest(*asked, **more)

    given.world.runs.newest = failing
    with pytest.raises(StateError):
        await given.look()
    assert await given.look() == 1
    assert await given.look() == 1
    assert set(given.step.scopes) == {ALICE, BOB}


async def test_what_is_switched_off_is_not_done():
    """Nothing is even counted."""
    given = Scheduled(OPTIONS.model_copy(update={"enabled": False}))
    await given.given(9)
    assert (given.schedule.on, await given.look()) == (False, 0)
