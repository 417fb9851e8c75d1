from datetime import timedelta

import pytest

from recollect.memory.jobs.sessions import Sessions
from recollect.memory.learn import job_for
from recollect.memory.model.types import Turn
from tests.memory.learn.doubles import ALICE, BOB, NOON
from tests.support.clock import Telling
from tests.support.state import InMemoryConversations, InMemoryJobs


class World:
    def __init__(self, max_queued=100):
        self.conversations, self.jobs, self.now = InMemoryConversations(), InMemoryJobs(), NOON
        self.sessions = Sessions(
            self.conversations, self.jobs, max_queued=max_queued, clock=Telling(lambda: self.now)
        )

    async def say(self, conversation, scope=ALICE):
        turn = Turn(
            id=f"{conversation}/{self.now}",
            conversation_id=conversation,
            scope=scope,
            user_text="hello",
            assistant_text="yes",
            model="m",
            created_at=self.now,
        )
        await self.conversations.record(turn)
        return turn

    async def queued(self):
        return sorted([report.job.id for report in await self.jobs.reports()])


@pytest.fixture
def world():
    return World()


async def test_only_silent_conversations_are_due(world):
    """A conversation that goes on is left alone; the bound is the time since its last turn."""
    await world.say("old")
    world.now += timedelta(seconds=50)
    await world.say("young")
    world.now += timedelta(seconds=20)
    assert await world.sessions.enqueue("idle", idle_seconds=60) == 1
    assert await world.queued() == ["old:1"]


async def test_a_flush_takes_everything_of_a_scope(world):
    """Also what is going on, and nobody else's."""
    await world.say("a")
    await world.say("b", BOB)
    assert await world.sessions.enqueue("flush", scope=ALICE) == 1
    assert await world.queued() == ["a:1"]


async def test_asking_twice_starts_nothing_twice(world):
    """What is enqueued already is not enqueued again."""
    await world.say("a")
    assert await world.sessions.enqueue("idle") == 1
    assert await world.sessions.enqueue("flush") == 0


async def test_a_full_queue_loses_nothing():
    """At the bound conversations wait, and are taken up once there is room."""
    world = World(max_queued=2)
    for name in "abc":
        await world.say(name)
    assert await world.sessions.enqueue("idle") == 2
    assert await world.sessions.enqueue("idle") == 0
    job = await world.jobs.claim(now=world.now, lease_seconds=60)
    await world.conversations.mark_learned(job.conversation_id, job.upto_seq)
    await world.jobs.ack(job)
    assert await world.sessions.enqueue("idle") == 1
    assert await world.jobs.depth() == 2


async def test_a_job_names_the_end_of_its_work(world):
    """Whatever starts it, the work up to one turn is one job."""
    turn = await world.say("a")
    assert await world.jobs.put(job_for(turn, 1, reason="turns"))
    assert await world.sessions.enqueue("idle") == 0
