import json
from dataclasses import replace

from recollect.memory.calibration import SAFE
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.learn.options import LearnOptions
from recollect.memory.learn.reconciler import Reconciler
from recollect.memory.model.types import (
    Candidate,
    EventKind,
    Provenance,
    Source,
    StoredMemory,
)
from tests.support.memories import InMemoryMemories

from .doubles import ALICE, BOB, NOON, Says, a_memory


class Told:
    """A scale with one value for all."""

    def told(self, text, vector):
        assert text
        assert vector.any()
        return 0.8


def reconciler(embedder=None):
    own = embedder or FakeEmbedder()
    return Reconciler(InMemoryMemories(dim=own.dim), own, SAFE, LearnOptions())


async def decided(*texts, embedder=None):
    candidates = [Candidate(text=text, turn_ids=("t",)) for text in texts]
    return (await reconciler(embedder).decide(ALICE, candidates, batch="b")).decisions


async def test_first_what_becomes_of_each_fact():
    """In their order; what else ends comes after them all."""
    decisions = await decided("User plays the oboe", "User no longer plays the oboe", "User swims")
    events = [decision.event for decision in decisions]
    assert events == [EventKind.ADD, EventKind.ADD, EventKind.ADD, EventKind.DELETE]
    assert [one.text for one in decisions[:3]][::2] == ["User plays the oboe", "User swims"]
    assert decisions[3].memory_id == decisions[0].memory_id


async def test_facts_of_one_batch_are_linked_and_not_pending():
    """They have one group, and nobody is asked which of them is true."""
    one, other = await decided("User meets Ana on 3 May", "User meets Ana on 9 May")
    assert one.matter == other.matter == one.memory_id
    assert not one.pending + other.pending


async def known(*texts, scope=ALICE):
    """A reconciler beside memories of a scope, whose ids are their texts."""
    own = FakeEmbedder()
    store = InMemoryMemories(dim=own.dim)
    items = [
        a_memory(text, text, scope, NOON, provenance=Provenance(source=Source.EXTRACTION))
        for text in texts
    ]
    vectors = await own.embed(texts)
    await store.put([StoredMemory(i, v) for i, v in zip(items, vectors, strict=True)])
    return Reconciler(store, own, SAFE, LearnOptions())


SOLD = Candidate(text="User sold the boat and swims now", turn_ids=("t",))
FACTS = ("User likes jazz", "User eats fish", "User owns a dinghy")


async def test_a_change_in_other_words_is_put_to_the_model():
    """What shares no word with anything known is asked about beside its nearest, and obeyed."""
    rows = [{"fact": 1, "event": "DELETE", "known": number} for number in (1, 2, 3)]
    model = Says(json.dumps({"decisions": rows}))
    judge = await known(*FACTS)
    made = (await judge.decide(ALICE, [SOLD], batch="b", model=model)).decisions
    assert all(text in model.heard() for text in FACTS)
    assert {one.memory_id for one in made if one.event is EventKind.DELETE} == set(FACTS)


async def test_without_an_answer_what_is_linked_with_nothing_waits():
    """It is no conflict of anything that somebody sees, and has no matter until it is judged."""
    judge = await known(*FACTS)
    for model in (Says("I do not know"), None):
        [one] = (await judge.decide(ALICE, [SOLD], batch="b", model=model)).decisions
        assert (one.event, one.pending, one.matter) == (EventKind.ADD, (), None)
    model = Says('{"decisions": [{"fact": 1, "event": "ADD", "known": null}]}')
    [one] = (await judge.decide(ALICE, [SOLD], batch="b", model=model)).decisions
    assert (one.event, one.pending, one.matter) == (EventKind.ADD, (), one.memory_id)


async def test_a_model_sees_no_neighbour_of_anybody_else():
    """Not of another user, and not of the same user with an agent."""
    for scope in (BOB, replace(ALICE, agent_id="helper")):
        model = Says("?")
        judge = await known(*FACTS, scope=scope)
        [one] = (await judge.decide(ALICE, [SOLD], batch="b", model=model)).decisions
        assert not model.requests
        assert one.matter == one.memory_id


async def test_a_model_and_the_meaning_agree_on_an_importance():
    """Half each, of a fact with a quote; a text of the model's own keeps what it has."""
    own = FakeEmbedder()
    judge = Reconciler(InMemoryMemories(dim=own.dim), own, SAFE, LearnOptions(), scale=Told())
    said = [
        Candidate(text="User plays the oboe", quote="I play the oboe", importance=0.4),
        Candidate(text="User has diabetes", quote="I have diabetes"),
        Candidate(text="On that day User did much", importance=0.4),
    ]
    decisions = (await judge.decide(ALICE, said, batch="b")).decisions
    assert [one.importance for one in decisions] == [(0.4 + 0.8) / 2, 0.8, 0.4]
