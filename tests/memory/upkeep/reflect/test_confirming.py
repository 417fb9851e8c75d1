"""What confirms a conclusion: the user's own later words, and nothing that only sounds like it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.memory.calibration import SAFE, calibration_for
from recollect.memory.model.types import (
    Decision,
    EventKind,
    MemoryStatus,
    MemoryType,
    ScoredMemory,
    Source,
)
from recollect.memory.upkeep.reflect.confirming import (
    MOST_ASKED,
    Awaiting,
    asked_about,
    awaits,
    may_say,
    said_by_answer,
    said_exactly,
    said_since,
)
from tests.memory.forget.parts import ALICE, BOB
from tests.memory.upkeep.made import derived, fact

from .world import later

TEXT = "User prefers trains to cars"
WAITS = derived("d", "a", "b", text=TEXT, status=MemoryStatus.QUARANTINED)
MINILM = calibration_for("all-MiniLM-L6-v2", dim=384)


def hit(item, score=0.5):
    return ScoredMemory(item, score)


@pytest.mark.parametrize(
    "change",
    [
        {"status": MemoryStatus.ACTIVE},
        {"scope": BOB},
        {"type": MemoryType.SEMANTIC},
        {"provenance": replace(WAITS.provenance, cites=())},
        {"provenance": replace(WAITS.provenance, source=Source.TOOL)},
        {"provenance": replace(WAITS.provenance, flags=("instruction", "unconfirmed"))},
    ],
)
def test_only_undoubted_conclusions_wait(change):
    """What is suspicious needs a person."""
    assert awaits(WAITS, ALICE)
    assert not awaits(replace(WAITS, **change), ALICE)


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


@pytest.mark.parametrize(
    ("text", "says"),
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


@pytest.mark.parametrize(
    ("text", "score", "says"),
    [
        ("User always prefers trains, never cars", 0.4, True),
        ("User goes by rail whenever possible", 0.7, True),
        ("User goes by rail whenever possible", 0.4, False),
    ],
)
def test_other_words_need_most_of_the_words_or_the_meaning(text, score, says):
    """Whatever a model says of them."""
    assert may_say(TEXT, hit(fact("s", text), score), MINILM) is says
    if score < 1:
        assert may_say(TEXT, hit(fact("s", "User goes by rail"), score), SAFE) is False


def test_names_and_numbers_must_be_said():
    """A statement without them does not say it."""
    near = hit(fact("s", "User sold the car and takes trains"), 0.9)
    assert not may_say("User sold the car in 2023", near, MINILM)
    assert not may_say("User takes trains to Turin", near, MINILM)


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
