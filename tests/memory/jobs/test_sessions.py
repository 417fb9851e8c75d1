import pytest

from recollect.memory.jobs.sessions import Sessions
from tests.memory.learn.doubles import ALICE, NOON, a_turn
from tests.support.clock import Telling
from tests.support.state import InMemoryConversations, InMemoryJobs


class World:
    def __init__(self, max_queued=100):
        self.conversations, self.jobs, self.now = InMemoryConversations(), InMemoryJobs(), NOON
        self.sessions = Sessions(
            self.conversations, self.jobs, max_queued=max_queued, clock=Telling(lambda: self.now)
        )

    async def say(self, conversation, scope=ALICE):
        turn = a_turn(f"{conversation}/{self.now}", conversation, scope, "hello", "yes", self.now)
        await self.conversations.record(turn)
        return turn

    async def queued(self):
        return sorted([report.job.id for report in await self.jobs.reports()])


@pytest.fixture
def world():
    return World()


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
