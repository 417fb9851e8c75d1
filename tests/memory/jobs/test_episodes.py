"""The jobs that follow learning: one for what was learned, and when they are run."""

from datetime import timedelta

from recollect.memory.jobs.learning import Learning
from recollect.memory.model.jobs import JobKind, JobState
from recollect.memory.model.types import utc_now
from tests.memory.jobs.worker_world import OPTIONS
from tests.memory.learn.doubles import ALICE, BOB
from tests.memory.upkeep.episodes.conversations import ended
from tests.memory.upkeep.episodes.world import IDLE, EpisodeWorld


async def queued(world, state=JobState.READY):
    reports = await world.jobs.reports(state=state, limit=99)
    return [report.job for report in reports if report.job.kind is JobKind.EPISODE]


async def test_each_job_of_learning_is_followed_by_one():
    """It is about the turns that were learned, in a line of its own for the conversation."""
    world = EpisodeWorld()
    await world.say("I plan a trip")
    await world.say("I take the train", conversation="d")
    await world.due("turns")
    await world.run()
    jobs = await queued(world)
    assert {(j.id, j.after_seq, j.upto_seq) for j in jobs} == {
        ("episode:c:1", 0, 1),
        ("episode:d:1", 0, 1),
    }
    assert len({job.partition for job in jobs} | {ALICE.partition}) == 3


async def test_a_flush_tells_what_waits_of_its_scope_only():
    """Who asks for a flush gets the episode at once; those of others wait on."""
    world = EpisodeWorld()
    world.now = utc_now()
    for scope, conversation in ((ALICE, "c"), (BOB, "d")):
        await world.say("I plan a trip to Porto", scope=scope, conversation=conversation)
    await world.due("turns")
    await world.run()
    loops = Learning(world.worker(), world.sessions(), OPTIONS)
    await loops.flush(ALICE)
    assert len(await world.told()) == 1
    assert await world.told(BOB) == []
    world.now += IDLE
    await world.run()
    assert len(await world.told(BOB)) == 1


async def test_a_long_conversation_is_told_in_parts():
    """A conversation without a pause leaves an episode for each part that is full, and the rest."""

    async def way(world, turns):
        for number in range(turns):
            await world.say(f"I plan part {number} of the trip", minutes=0.1)
            if number % 10 == 9:
                await world.due("turns")
                await world.run()
        world.now += timedelta(days=1)
        await world.due("idle")
        await world.run()

    result = await ended("long", way, 125, 2)
    assert result.good, result
    assert result.calls == 2
