"""Whether a text says what a person said is not so."""

from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.calibration import SAFE
from recollect.memory.learn.reconcile import denied_by, quotes_it, says_it
from recollect.memory.model.ending import by_person, ended_by_hand
from recollect.memory.model.types import (
    Candidate,
    MemoryItem,
    MemoryType,
    Provenance,
    ScoredMemory,
)
from tests.memory.learn.doubles import ALICE, NOON

LATER = NOON + timedelta(hours=1)


@pytest.mark.parametrize(
    ("text", "known", "same"),
    [
        ("I live in Paris.", "User lives in Paris", True),
        ("The user lives in Paris", "User lives in Paris.", True),
        ("I do not live in Paris.", "User lives in Paris", False),
        ("I live in Paris with my dog", "User lives in Paris", False),
        ("My PIN is 4711", "User's PIN is 4712", False),
        ("", "User lives in Paris", False),
    ],
)
def test_whoever_tells_it(text, known, same):
    """The same words but for those for the user; a denial, more and another value are not."""
    assert says_it(text, known) is same


@pytest.mark.parametrize(
    ("text", "quote", "part"),
    [
        ("I live in  PARIS.", "live in Paris", True),
        ("live in Paris", "I live in Paris, you know", True),
        ("I live in Rome", "live in Paris", False),
        ("I live in Rome", None, False),
        ("", "live in Paris", False),
    ],
)
def test_words_of_a_turn(text, quote, part):
    """Case and blanks tell nothing apart; nothing is a part of nothing."""
    assert quotes_it(text, quote) is part


def ended(**fields):
    item = MemoryItem(
        id="m", text="User lives in Paris", type=MemoryType.SEMANTIC, scope=ALICE,
        created_at=NOON, updated_at=NOON, embedder_id="e",
        provenance=Provenance(turn_ids=("t",), quote="live in Paris"),
    )  # fmt: skip
    gone = ended_by_hand(replace(item, **fields), by_person(""), until=NOON, now=LATER)
    return [ScoredMemory(gone, 0.9)]


def denied(text, *, at=NOON, turn="t", quote="I live in Paris."):
    candidate = Candidate(text=text, turn_ids=(turn,), quote=quote)
    return denied_by(candidate, ended(), at=at, calibration=SAFE) is not None


def test_what_was_said_before_is_denied():
    """In the same words from any turn, in other words of the same matter from the same one."""
    assert denied("User lives in Paris", turn="other", quote="Paris it is")
    assert denied("User resides in Paris")
    assert not denied("User resides in Paris", turn="other")
    assert not denied("User has a dog")


def test_what_is_said_afterwards_is_believed():
    """And what was said nobody knows when."""
    assert not denied("User lives in Paris", at=LATER + timedelta(seconds=1))
    assert not denied("User lives in Paris", at=None)
