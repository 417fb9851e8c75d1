from datetime import UTC, datetime, timedelta

import pytest

from recollect.memory.calibration import SAFE, calibration_for
from recollect.memory.learn.reconcile import Neighbour, likely, reconcile, statement_of
from recollect.memory.model.types import Candidate, EventKind, MemoryType, Source

MINILM = calibration_for("all-MiniLM-L6-v2", dim=384)
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def near(text, score=0.8, *, name="old", at=None, matter=""):
    return Neighbour(name, text, MemoryType.SEMANTIC, score, at, matter)


def decide(text, *neighbours, calibration=MINILM, at=None, **fields):
    candidate = Candidate(text=text, **fields)
    return reconcile(candidate, neighbours, new_id="new", calibration=calibration, at=at)


def test_nothing_known():
    """The first fact is added with all that its candidate carries, as a matter of its own."""
    decision = decide(
        "User likes tea",
        type=MemoryType.PROCEDURAL,
        quote="I like tea",
        turn_ids=("t1",),
        source=Source.ASSISTANT,
        importance=0.9,
        subject="user",
    )
    assert (decision.event, decision.memory_id) == (EventKind.ADD, "new")
    assert (decision.matter, decision.pending, decision.score) == ("new", (), None)
    assert (decision.type, decision.quote) == (MemoryType.PROCEDURAL, "I like tea")
    assert (decision.turn_ids, decision.source) == (("t1",), Source.ASSISTANT)
    assert (decision.importance, decision.subject) == (0.9, "user")


@pytest.mark.parametrize("score", [-1.0, 0.5, 1.0])
@pytest.mark.parametrize("calibration", [MINILM, SAFE])
def test_the_same_words_are_no_news(score, calibration):
    """An exact repetition is NONE about the known memory, whatever the scores say."""
    other = near("User likes milk", 0.99, name="x")
    known = near("user likes TEA!", score)
    decision = decide("User likes tea", other, known, calibration=calibration)
    assert (decision.event, decision.memory_id) == (EventKind.NONE, "old")
    assert decision.text == "user likes TEA!"


def test_what_may_be_the_same_matter_is_linked():
    """One group id, the nearest first, and no verdict."""
    known = (
        near("User plays the bass", 0.7, name="bass", matter="music"),
        near("User plays the drums", 0.8, name="drums"),
        near("User's car is red", 0.1, name="car"),
    )
    decision = decide("User plays the guitar", *known)
    assert (decision.event, decision.memory_id) == (EventKind.ADD, "new")
    assert decision.pending == ("drums", "bass")
    assert decision.matter == "drums"
    assert decide("User plays the guitar", *known[::2]).matter == "music"


def test_an_end_is_a_statement_too():
    """The memory ends, and what was said of it can be remembered."""
    decision = decide("User no longer plays the oboe", near("User plays the oboe"))
    assert (decision.event, decision.memory_id) == (EventKind.DELETE, "old")
    assert decision.old_text == "User plays the oboe"
    stated = statement_of(decision, Candidate(text="User no longer plays the oboe"), "new")
    assert (stated.event, stated.memory_id, stated.matter) == (EventKind.ADD, "new", "old")


def test_an_older_statement_changes_no_newer_memory():
    """What is imported late stands beside what was said after it."""
    known = near("User plays the oboe", at=NOON)
    earlier = decide("User no longer plays the oboe", known, at=NOON - timedelta(days=1))
    later = decide("User no longer plays the oboe", known, at=NOON + timedelta(days=1))
    assert (earlier.event, earlier.pending) == (EventKind.ADD, ("old",))
    assert later.event is EventKind.DELETE


def test_hundreds_of_one_matter():
    """All are linked, in the order of their scores."""
    many = [near(f"User saw film {n}", n / 1000, name=str(n)) for n in range(200)]
    found = likely(Candidate(text="User saw film 900"), many, MINILM)
    assert [one.id for one in found] == [str(n) for n in reversed(range(200))]
