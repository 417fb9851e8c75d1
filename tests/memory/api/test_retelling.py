"""Episodes leave out what a person said is not so, and tell it again with it."""

import pytest

from recollect.memory.api.changes import Amendment
from recollect.memory.api.retelling import Retelling
from recollect.memory.model.types import MemoryStatus, MemoryType, Provenance, Source
from tests.memory.api.changing_world import World
from tests.memory.learn.doubles import NOON
from tests.support.parts import parts_of

HOME = "User lives in Paris"
STORY = "They spoke of films. The user said that they live in Paris. They will meet on Monday."
REST = "They spoke of films. They will meet on Monday."


class Worlds(World):
    def retelling(self):
        parts = parts_of(store=self.store, embedder=self.embedder, history=self.history)
        return Retelling(parts, guard=self.forgetter.guard, clock=self.clock)

    async def episode(self, text=STORY, name="e", turns=("t",)):
        origin = Provenance(
            source=Source.EXTRACTION, turn_ids=turns, stretch=turns[0], batch="episode:1"
        )
        return await self.keep(name, text, type_=MemoryType.EPISODIC, provenance=origin)

    async def denied(self):
        home = await self.keep("home", HOME)
        return await self.curation().invalidate(home)


@pytest.fixture
def world():
    return Worlds()


async def test_the_sentence_goes_and_comes_back(world):
    """The rest of the episode stays, as old as it was; so does another episode."""
    told, other = await world.episode(), await world.episode("They spoke of films.", "o")
    denied = await world.denied()
    assert await world.retelling().leave_out(denied) == 1
    left = await world.get("e")
    assert (left.text, left.updated_at, left.valid_from) == (REST, NOON, NOON)
    assert left.provenance.batch == told.provenance.batch
    assert await world.get("o") == other
    assert await world.retelling().tell_again(denied) == 1
    assert (await world.get("e")).text == STORY
    assert [event for event, *_ in await world.events("e")] == ["UPDATE", "UPDATE"]


async def test_an_episode_of_nothing_else_ends_with_it(world):
    """And comes back as it was."""
    await world.episode("The user lives in Paris.")
    denied = await world.denied()
    await world.retelling().leave_out(denied)
    assert (await world.get("e")).status is MemoryStatus.SUPERSEDED
    await world.retelling().tell_again(denied)
    assert (await world.get("e")).status is MemoryStatus.ACTIVE


async def test_what_somebody_changed_since_stays(world):
    """Another text of the episode is not overruled."""
    await world.episode()
    denied = await world.denied()
    await world.retelling().leave_out(denied)
    await world.changes().amend(await world.get("e"), Amendment("They spoke of food."))
    assert await world.retelling().tell_again(denied) == 0
    assert (await world.get("e")).text == "They spoke of food."
