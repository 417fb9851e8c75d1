from dataclasses import replace
from datetime import timedelta

from recollect.memory.model.jobs import Job, JobKind
from recollect.memory.upkeep.episodes.touched_stretches import touched
from tests.memory.learn.doubles import ALICE
from tests.memory.learn.extract.turns import MONDAY, turn
from tests.support.state import in_memory_state

GAP = timedelta(minutes=30)


async def recorded(*minutes):
    conversations = in_memory_state().conversations
    for number, at in enumerate(minutes, 1):
        said = turn("hi there", n=number, at=MONDAY + timedelta(minutes=at))
        await conversations.record(replace(said, id=f"t{number}"))
    return conversations


def job(after, upto):
    return Job(
        id="j", scope=ALICE, conversation_id="c", upto_seq=upto, reason="turns",
        kind=JobKind.EPISODE, after_seq=after,
    )  # fmt: skip


def shape(found):
    return [[each.seq for each in stretch.turns] for stretch in found.stretches]


async def test_a_stretch_is_read_from_its_beginning():
    """Turns that an earlier job learned belong to it; those before the pause do not."""
    conversations = await recorded(0, 60, 61, 62)
    found = await touched(conversations, job(3, 4), GAP)
    assert (shape(found), found.goes_on, found.later) == ([[2, 3, 4]], False, False)


async def test_what_comes_later_is_seen():
    """A later turn belongs to the stretch, or is another one after a pause."""
    conversations = await recorded(0, 1, 2, 60)
    found = await touched(conversations, job(0, 2), GAP)
    assert (found.goes_on, found.later) == (True, False)
    found = await touched(conversations, job(0, 3), GAP)
    assert (found.goes_on, found.later) == (False, True)
