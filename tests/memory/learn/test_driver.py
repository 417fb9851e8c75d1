from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.embedders import FakeEmbedder
from memory.errors import EmbeddingError, ExtractionError, ModelError
from memory.learn.driver import (
    NEIGHBOURS,
    Learner,
    dump_decisions,
    load_decisions,
    memory_id,
)
from memory.state.inmemory import InMemoryHistory
from memory.stores.inmemory import InMemoryStore
from memory.types import (
    Candidate,
    Decision,
    EventKind,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    StoredMemory,
)
from tests.support.scripted import facts

from .doubles import ALICE, BOB, NOON, Angles, Breaks, Chokes, Says, user

TALK = [user("hello")]
ADD, UPDATE, NONE = EventKind.ADD, EventKind.UPDATE, EventKind.NONE


class World:
    """A learner with its parts in memory."""

    def __init__(self, embedder=None):
        self.embedder = embedder or FakeEmbedder()
        self.store = InMemoryStore(dim=self.embedder.dim)
        self.history = InMemoryHistory()
        self.learner = Learner(self.store, self.embedder, self.history, clock=lambda: NOON)

    async def decide(self, *texts, scope=ALICE, batch="b"):
        return await self.learner.decide(scope, TALK, Says(facts(*texts)), at=NOON, batch=batch)

    async def learn(self, *texts, scope=ALICE, batch="b"):
        decisions = await self.decide(*texts, scope=scope, batch=batch)
        return await self.carry_out(decisions, scope=scope, batch=batch)

    async def carry_out(self, decisions, *, scope=ALICE, batch="b"):
        return await self.learner.carry_out(
            scope, decisions, at=NOON, batch=batch, provenance=Provenance(source="extraction")
        )

    async def texts(self, scope=ALICE):
        return sorted(item.text for item in await self.store.list(scope, limit=None))


@pytest.fixture
def world():
    return World()


def events(decisions):
    return [decision.event for decision in decisions]


async def test_deciding_writes_nothing(world):
    """Decisions are proposals: store and history stay empty until they are carried out."""
    decisions = await world.decide("User likes tea", "User has a cat")
    assert events(decisions) == [ADD, ADD]
    assert await world.texts() == []
    await world.carry_out(decisions)
    assert await world.texts() == ["User has a cat", "User likes tea"]


async def test_repetition_inside_a_batch(world):
    """The same fact twice in one conversation is one memory, also in other words' clothing."""
    decisions = await world.decide("User likes tea", "User likes tea!", "User has a cat")
    assert events(decisions) == [ADD, NONE, ADD]
    assert decisions[1].memory_id == decisions[0].memory_id
    await world.carry_out(decisions)
    assert await world.texts() == ["User has a cat", "User likes tea"]


async def test_repetition_of_what_is_stored(world):
    """What is known is NONE about the memory that knows it."""
    [first] = await world.learn("User likes tea", batch="b1")
    [again] = await world.learn("user likes TEA", batch="b2")
    assert (again.event, again.id) == (NONE, first.id)
    assert await world.texts() == ["User likes tea"]


async def test_ids_follow_from_the_batch(world):
    """Deciding again after a crash proposes the same ids; another batch has others."""
    one, other = await world.decide("User likes tea"), await world.decide("User likes tea")
    assert one == other
    assert one[0].memory_id == memory_id("b", "User likes tea")
    assert (await world.decide("User likes tea", batch="c"))[0].memory_id != one[0].memory_id


async def test_a_correction_inside_a_batch():
    """What the batch itself decided is newer than what the store says."""
    world = World(Angles({"User lives in Rome": 0, "User moved to Oslo": 30, "User moved on": 60}))
    await world.learn("User lives in Rome", batch="b1")
    decisions = await world.decide("User moved to Oslo", "User moved on", batch="b2")
    assert events(decisions) == [UPDATE, UPDATE]
    assert decisions[1].old_text == "User moved to Oslo"
    assert decisions[0].memory_id == decisions[1].memory_id
    await world.carry_out(decisions, batch="b2")
    assert await world.texts() == ["User moved on"]


async def test_what_a_batch_changed_is_no_longer_known():
    """A text that the batch itself replaced does not make the same text known again."""
    world = World(
        Angles({"User lives in Rome": 0, "User moved to Oslo": 30, "User lives in Rome.": 0})
    )
    await world.learn("User lives in Rome", batch="b1")
    decisions = await world.decide("User moved to Oslo", "User lives in Rome.", batch="b2")
    assert events(decisions) == [UPDATE, ADD]


async def test_thresholds_are_those_of_the_embedder():
    """A calibrated embedder updates by similarity; one that nobody measured only adds."""
    angles = {"User lives in Rome": 0, "User moved to Oslo": 30}
    measured, unknown = World(Angles(angles)), Angles(angles)
    unknown.id = "somebody-elses"
    for world, expected in ((measured, UPDATE), (World(unknown), ADD)):
        await world.learn("User lives in Rome", batch="b1")
        assert events(await world.decide("User moved to Oslo", batch="b2")) == [expected]


async def test_narrower_scopes_are_not_touched():
    """A user's fact neither updates nor counts as known what one agent or run keeps about them."""
    world = World(Angles({"User lives in Rome": 0, "User moved to Oslo": 30}))
    narrow = replace(ALICE, agent_id="coach")
    await world.learn("User lives in Rome", scope=narrow, batch="b1")
    decisions = await world.decide("User lives in Rome", batch="b2")
    assert events(decisions) == [ADD]
    assert events(await world.decide("User moved to Oslo", batch="b3")) == [ADD]
    await world.carry_out(decisions, batch="b2")
    assert await world.texts(narrow) == ["User lives in Rome"]
    assert events(await world.decide("User lives in Rome", scope=narrow, batch="b4")) == [NONE]


async def test_narrower_scopes_do_not_hide_what_is_known(world):
    """However many agents keep the same fact, the user's own copy of it is still found."""
    text = "User likes tea"
    for n in range(4 * NEIGHBOURS):
        await world.learn(text, scope=replace(ALICE, agent_id=f"agent-{n}"), batch=f"n{n}")
    assert events(await world.learn(text, batch="b1")) == [ADD]
    assert events(await world.learn(text, batch="b2")) == [NONE]


async def test_other_users_and_tenants_are_not_seen(world):
    """Nobody else's memory makes a fact known."""
    await world.learn("User likes tea", scope=BOB, batch="b1")
    await world.learn("User likes tea", scope=replace(ALICE, tenant="other"), batch="b2")
    assert events(await world.decide("User likes tea", batch="b3")) == [ADD]


async def test_inactive_memories_are_no_neighbours(world):
    """A quarantined or superseded memory does not make a fact known."""
    [vector] = await world.embedder.embed(["User likes tea"])
    for status in (MemoryStatus.QUARANTINED, MemoryStatus.SUPERSEDED):
        item = MemoryItem(
            id=status.value,
            text="User likes tea",
            type=MemoryType.SEMANTIC,
            scope=ALICE,
            created_at=NOON,
            updated_at=NOON,
            embedder_id="e",
            status=status,
        )
        await world.store.put([StoredMemory(item, vector)])
    assert events(await world.decide("User likes tea")) == [ADD]


async def test_one_fact_that_cannot_be_embedded_costs_only_itself():
    """The others are learned all the same."""
    world = World(Chokes())
    learned = await world.learn("User likes tea", "poison", "User has a cat")
    assert [event.new_memory for event in learned] == ["User likes tea", "User has a cat"]


@pytest.mark.parametrize("texts", [["poison"], ["poison", "more poison"]])
async def test_no_fact_can_be_embedded(texts):
    """If none can, it is a failure to retry and not "no facts"."""
    with pytest.raises(EmbeddingError):
        await World(Chokes()).decide(*texts)


async def test_a_batch_that_fails_as_a_whole():
    """An embedder that fails for many at once is asked for each."""
    world = World()
    inner = world.embedder
    world.learner._embedder = Breaks(inner, "embed", EmbeddingError("too many at once"))
    assert len(await world.decide("User likes tea", "User has a cat")) == 2


@pytest.mark.parametrize("error", [ModelError("down"), ExtractionError("nonsense")])
async def test_failures_of_the_model_are_told(world, error):
    """They reach the caller as they are."""
    with pytest.raises(type(error)):
        await world.learner.decide(ALICE, TALK, Says(error), at=NOON, batch="b")


async def test_nothing_to_learn(world):
    """No facts are no decisions, and carrying them out is nothing."""
    assert await world.decide() == []
    assert await world.carry_out([]) == []


async def test_the_prompt_and_the_bound_reach_the_model(world):
    """A caller's prompt and the configured bound on tokens go into the call."""
    learner = Learner(world.store, world.embedder, world.history, max_output_tokens=321)
    model = Says(facts())
    await learner.decide(ALICE, TALK, model, at=NOON, batch="b", prompt="Only pets.")
    assert model.requests[0].max_tokens == 321
    assert model.requests[0].messages[0].content == "Only pets."


async def test_carrying_out_twice_is_once(world):
    """Memories, history and what is reported are the same after a repetition."""
    decisions = await world.decide("User likes tea")
    first = await world.carry_out(decisions)
    before = await world.store.list(ALICE, limit=None)
    assert await world.carry_out(decisions) == first
    assert await world.store.list(ALICE, limit=None) == before
    assert len(await world.history.of("local", first[0].id)) == 1


async def test_when_it_was_said_and_when_it_was_written(world):
    """The memory's dates are those of the talk, its history's those of the writing."""
    world.learner._clock = lambda: NOON + timedelta(days=3)
    [event] = await world.learn("User likes tea")
    [item] = await world.store.list(ALICE, limit=None)
    [record] = await world.history.of("local", event.id)
    assert (item.created_at, record.timestamp) == (NOON, NOON + timedelta(days=3))


async def test_candidates_keep_their_type(world):
    """What the extractor calls procedural is stored as procedural, with its quote."""
    candidate = Candidate(text="User squashes commits", type=MemoryType.PROCEDURAL, quote="squash!")
    await world.carry_out(await world.learner.reconcile(ALICE, [candidate], batch="b"))
    [item] = await world.store.list(ALICE, limit=None)
    assert (item.type, item.provenance.quote) == (MemoryType.PROCEDURAL, "squash!")


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
DECISIONS = st.builds(
    Decision,
    event=st.sampled_from(EventKind),
    memory_id=TEXTS,
    text=TEXTS,
    type=st.sampled_from(MemoryType),
    old_text=st.none() | TEXTS,
    stage=TEXTS,
    score=st.none() | st.floats(-1, 1),
    quote=st.none() | TEXTS,
)


@given(st.lists(DECISIONS))
def test_checkpoints_come_back_as_they_were(decisions):
    """Decisions survive being kept with a job."""
    assert load_decisions(dump_decisions(decisions)) == decisions


async def test_decisions_made_in_a_batch_can_be_kept():
    """Scores between facts of one batch are such numbers too."""
    world = World(Angles({"User lives in Rome": 0, "User moved to Oslo": 30}))
    decisions = await world.decide("User lives in Rome", "User moved to Oslo")
    assert events(decisions) == [ADD, UPDATE]
    assert load_decisions(dump_decisions(decisions)) == decisions
