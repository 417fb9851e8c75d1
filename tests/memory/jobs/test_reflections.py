"""A reflection is enqueued once enough has happened, once, and not too often."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.memory.jobs import reflections
from recollect.memory.jobs.reflections import ReflectionJobs
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import Job
from recollect.memory.model.upkeep import UpkeepRun
from recollect.memory.upkeep import UpkeepOptions
from tests.memory.forget.parts import ALICE, BOB, NOON, Parts
from tests.memory.upkeep.made import fact
from tests.support.clock import Telling
from tests.support.folding import rows


class Puts:
    """What enqueues jobs of upkeep."""

    def __init__(self, jobs, *kinds):
        self._jobs, self.kinds = jobs, frozenset(kinds or [JobKind.REFLECT])

    async def put(self, job):
        return await self._jobs.put(job)


class World:
    def __init__(self, *, kinds=(), upkeep=True, reflect=True):
        self.parts = Parts()
        self.now = NOON
        self.upkeep = Puts(self.parts.jobs, *kinds)
        self.following = ReflectionJobs(
            self.parts.store,
            self.parts.state,
            self.upkeep,
            UpkeepOptions.model_validate({"enabled": upkeep, "kinds": {"reflect": reflect}}),
            clock=Telling(lambda: self.now),
        )

    async def follow(self, kind=JobKind.LEARN, scope=ALICE):
        job = Job(id="j", scope=scope, conversation_id="c", upto_seq=1, reason="idle", kind=kind)
        return await self.following.follow(job)

    async def ran(self, name="r", **fields):
        told = {"scope": ALICE, "kind": JobKind.REFLECT, "reason": "threshold"} | fields
        await self.parts.state.runs.keep(UpkeepRun(id=name, at=self.now, **told))


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    """One important memory is enough."""
    monkeypatch.setattr(reflections, "LEAST_SALIENCE", 1.0)


async def test_it_is_due_when_importance_adds_up():
    """And one job of it however many jobs follow, in however many processes."""
    world = World()
    await world.parts.put(fact("a", "User likes tea", importance=0.6))
    assert not await world.follow()
    await world.parts.put(fact("b", "User has a cat", importance=0.6))
    assert await world.follow()
    assert not await world.follow(JobKind.EPISODE)
    assert (await world.parts.jobs.counts())["ready"] == 1
    job = await world.parts.jobs.claim(now=NOON, lease_seconds=9)
    assert (job.kind, job.scope, job.reason) == (JobKind.REFLECT, ALICE, "threshold")


async def test_each_scope_by_itself():
    """Another user's memories, and an agent's, count for themselves."""
    world = World()
    agent = replace(ALICE, agent_id="x")
    await world.parts.put(
        fact("a", "User likes tea", importance=1.0, scope=BOB),
        fact("b", "User likes tea", importance=1.0, scope=agent),
    )
    assert not await world.follow()
    assert await world.follow(scope=BOB)
    assert await world.follow(scope=agent)


@rows(
    "options",
    [
        {"kinds": [JobKind.EPISODE]},
        {"upkeep": False},
        {"reflect": False},
    ],
)
async def test_off(options):
    """Nothing is enqueued by itself."""
    world = World(**options)
    await world.parts.put(fact("a", "User likes tea", importance=1.0))
    assert not await world.follow()
