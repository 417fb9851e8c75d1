"""What confirms a conclusion: the user's own later words, and nothing that only sounds like it."""

from __future__ import annotations

from dataclasses import replace

from recollect.memory.calibration import calibration_for
from recollect.memory.model.types import Decision, EventKind, MemoryStatus, MemoryType, ScoredMemory
from recollect.memory.upkeep.reflect.confirmation import (
    MOST_ASKED,
    Awaiting,
    asked_about,
    said_by_answer,
    said_exactly,
    said_since,
)
from tests.memory.forget.parts import BOB
from tests.memory.upkeep.made import derived, fact
from tests.support.folding import rows

from .world import later

TEXT = "User prefers trains to cars"
WAITS = derived("d", "a", "b", text=TEXT, status=MemoryStatus.QUARANTINED)
MINILM = calibration_for("all-MiniLM-L6-v2", dim=384)


def hit(item, score=0.5):
    return ScoredMemory(item, score)


def test_what_counts_as_said_since():
    """The user's own, later, and not the evidence itself."""
    own = later(fact("s", TEXT))
    hits = [
        own,
        fact("early", TEXT),
        later(fact("a", TEXT)),
        later(derived("e", "a", text=TEXT)),
        later(fact("x", TEXT, scope=BOB)),
        later(fact("q", TEXT, status=MemoryStatus.QUARANTINED)),
    ]
    assert [one.item.id for one in said_since(WAITS, map(hit, hits))] == ["s"]


@rows(
    "text, says",
    [
        (TEXT, True),
        ("user prefers trains to cars.", True),
        ("User prefers cars to trains", False),
        ("User does not prefer trains to cars", False),
        ("User prefers trains to cars on holidays", False),
    ],
)
def test_the_same_words(text, says):
    """As learning compares what is known already."""
    one = Awaiting(WAITS, (hit(later(fact("s", text))),))
    assert (said_exactly(one) is not None) is says


def test_a_model_is_asked_about_a_few_and_only_what_it_names_counts():
    """The conclusion is the new fact, so that it must say all of it."""
    one = Awaiting(WAITS, (hit(later(fact("s", "User always prefers trains, never cars"))),))
    asked = asked_about([one] * 20)
    assert len(asked) == MOST_ASKED
    assert asked[0].candidate.text == TEXT
    assert [near.id for near in asked[0].shown] == ["s"]
    said = Decision(event=EventKind.NONE, memory_id="s", text="", type=MemoryType.SEMANTIC)
    assert said_by_answer(one, [said], MINILM) is one.said[0].item
    for other in (replace(said, memory_id="x"), replace(said, event=EventKind.ADD)):
        assert said_by_answer(one, [other], MINILM) is None
