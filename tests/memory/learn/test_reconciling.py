from recollect.memory.calibration import SAFE
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.learn.options import LearnOptions
from recollect.memory.learn.reconciling import Reconciler
from recollect.memory.model.types import Candidate, EventKind
from recollect.memory.stores.inmemory import InMemoryStore

from .doubles import ALICE


class Told:
    """A scale with one value for all."""

    def told(self, text, vector):
        assert text
        assert vector.any()
        return 0.8


def reconciler(embedder=None):
    own = embedder or FakeEmbedder()
    return Reconciler(InMemoryStore(dim=own.dim), own, SAFE, LearnOptions())


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


async def test_nothing_to_decide():
    """No search, no question."""
    assert await decided() == []


async def test_a_model_and_the_meaning_agree_on_an_importance():
    """Half each, of a fact with a quote; a text of the model's own keeps what it has."""
    own = FakeEmbedder()
    judge = Reconciler(InMemoryStore(dim=own.dim), own, SAFE, LearnOptions(), scale=Told())
    said = [
        Candidate(text="User plays the oboe", quote="I play the oboe", importance=0.4),
        Candidate(text="User has diabetes", quote="I have diabetes"),
        Candidate(text="On that day User did much", importance=0.4),
    ]
    decisions = (await judge.decide(ALICE, said, batch="b")).decisions
    assert [one.importance for one in decisions] == [(0.4 + 0.8) / 2, 0.8, 0.4]
