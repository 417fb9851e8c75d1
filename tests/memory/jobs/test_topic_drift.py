"""Topic drift, with real turns and vectors whose angles are known."""

import asyncio

import pytest

from recollect.memory.jobs.topic_drift import Drift
from recollect.memory.model.types import Scope, utc_now
from recollect.memory.util.tasks import Tasks
from tests.memory.learn.doubles import Angles, a_turn
from tests.support.clock import settled
from tests.support.state import InMemoryConversations, InMemoryJobs
from tests.support.waiting import HANG_SECONDS, until


class World:
    def __init__(self, max_queued=100, **angles):
        self.conversations, self.jobs = InMemoryConversations(), InMemoryJobs()
        self.due = asyncio.Event()
        self.drift = Drift(
            self.conversations,
            self.jobs,
            Angles(angles),
            threshold=0.3,
            max_queued=max_queued,
            on_due=self.due.set,
        )

    async def say(self, *texts):
        for text in texts:
            turn = a_turn(text, "c", Scope(tenant="local", user_id="alice"), text, "", utc_now())
            self.drift.note(turn, await self.conversations.record(turn))

    async def queued(self):
        return [(r.job.upto_seq, r.job.reason) for r in await self.jobs.reports()]


@pytest.fixture
async def tasks():
    group = Tasks()
    yield group
    await group.drain(0)


async def test_a_new_topic_makes_the_old_one_due(tasks):
    """What was said up to the change is learned; what begins the new topic waits."""
    world = World(a=0, b=10, c=20, d=10, e=90)
    tasks.start(world.drift.run(), name="drift")
    await world.say("a", "b", "c", "d", "e")
    async with asyncio.timeout(HANG_SECONDS):
        await world.due.wait()
    assert await world.queued() == [(4, "drift")]


async def test_one_topic_is_none_of_its_business(tasks):
    """Messages that go on about the same start nothing, nor do a few that jump about."""
    world = World(a=0, b=60, c=10, d=30, e=40, f=95, g=0)
    tasks.start(world.drift.run(), name="drift")
    await world.say("a", "b", "c", "d", "e")
    await until(world.drift.waiting.empty)
    await settled()
    assert await world.queued() == []
