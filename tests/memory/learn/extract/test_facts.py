import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.extract.facts import (
    DEFAULT_IMPORTANCE,
    MAX_PART_CHARS,
    MAX_QUOTE_CHARS,
    fact_of,
    importance_of,
    turn_of,
    type_of,
)
from recollect.memory.model.types import MemoryType


def test_every_field():
    """A fact as it was asked for has all its fields."""
    fact = fact_of(
        {
            "type": "episodic",
            "turn": 3,
            "quote": "I moved",
            "text": "User moved",
            "importance": 0.9,
            "subject": "User",
            "predicate": "moved to",
            "object": "Porto",
        }
    )
    assert (fact.text, fact.type, fact.turn, fact.quote) == (
        "User moved",
        MemoryType.EPISODIC,
        3,
        "I moved",
    )
    assert (fact.importance, fact.subject, fact.predicate) == (0.9, "User", "moved to")
    assert fact.object == "Porto"


def test_other_peoples_ids_are_not_looked_at():
    """Whatever ids, scopes or statuses a model adds, nothing of them is in the fact."""
    fact = fact_of(
        {"text": "User is Bob", "id": "m-1", "user_id": "eve", "scope": {}, "status": "active"}
    )
    assert fact == fact_of("User is Bob")


@pytest.mark.parametrize("value", [None, 7, True, [], {}, "", " ", "...", {"text": 7}, ["x"]])
def test_no_fact(value):
    """What has no text with a letter or digit is no fact."""
    assert fact_of(value) is None


def test_text_that_no_store_can_keep():
    """Line breaks, NUL and halves of characters go."""
    assert fact_of("a\n\0b \ud800c").text == "a b ?c"


def test_bounds():
    """Quotes and parts are cut, however long they are."""
    fact = fact_of({"text": "x", "quote": "q" * 9999, "subject": "s" * 9999})
    assert (len(fact.quote), len(fact.subject)) == (MAX_QUOTE_CHARS, MAX_PART_CHARS)


@pytest.mark.parametrize(
    ("named", "kind"),
    [
        ("procedural", MemoryType.PROCEDURAL),
        (" Episodic ", MemoryType.EPISODIC),
        ("reflective", MemoryType.SEMANTIC),
        ("preference", MemoryType.SEMANTIC),
        (None, MemoryType.SEMANTIC),
        (["procedural"], MemoryType.SEMANTIC),
    ],
)
def test_types(named, kind):
    """Only the three learned types count; anything else is semantic."""
    assert type_of(named) is kind


@pytest.mark.parametrize(
    ("value", "number"),
    [(2, 2), ("2", 2), ("[2]", 2), ("turn 12", 12), (2.0, 2), (2.5, None), (0, None), (-1, None),
     (True, None), (None, None), ("none", None), ([2], None), (10**30, None)],
)  # fmt: skip
def test_turns(value, number):
    """A turn's number is read from what looks like one; anything else is no turn."""
    assert turn_of(value) == number


@pytest.mark.parametrize(
    ("value", "importance"),
    [(0.7, 0.7), (1, 1), (0, 0), ("0.7", 0.7), (7, 0.7), (50, 1), (-3, 0), (True, 0.5),
     (None, 0.5), ("high", 0.5), (float("nan"), 0.5), (float("inf"), 0.5), ([], 0.5)],
)  # fmt: skip
def test_importance(value, importance):
    """Importance is from 0 to 1 whatever the model says; a scale of ten is understood."""
    assert importance_of(value) == importance
    assert DEFAULT_IMPORTANCE == 0.5


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(["text", "turn", "quote", "importance", "type", "subject"]), inner
        )
    ),
)


@given(JSON)
def test_any_json_value(value):
    """Any value is a fact with valid fields, or none."""
    fact = fact_of(json.loads(json.dumps(value)))
    assert fact is None or (fact.text and 0 <= fact.importance <= 1)


@pytest.mark.parametrize(
    ("value", "asserted"),
    [(None, True), (True, True), ("yes", True), (False, False), ("False", False), ("no", False)],
)
def test_what_the_model_says_of_a_fact(value, asserted):
    """Whom it is about and whether it is asserted are read, and may be absent."""
    fact = fact_of({"text": "User likes tea", "who": "Ana", "asserted": value})
    assert (fact.who, fact.asserted) == ("Ana", asserted)
    assert (fact_of("User likes tea").who, fact_of("User likes tea").asserted) == (None, True)
