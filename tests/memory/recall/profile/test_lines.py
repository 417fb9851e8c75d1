"""The lines of a profile, and which of them a request needs."""

from datetime import timedelta

import numpy as np

from recollect.memory.recall.index.user_index import UserIndex
from recollect.memory.recall.profile import Need, bearing, broad, profile_of, wishes
from recollect.memory.types import (
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
    utc_now,
)

ALICE = Scope(tenant="local", user_id="alice")
NOW = utc_now()


def index_of(*texts, source=Source.USER):
    items = [
        MemoryItem(
            id=str(number), text=text, type=MemoryType.SEMANTIC, scope=ALICE,
            created_at=NOW + timedelta(minutes=number), updated_at=NOW + timedelta(minutes=number),
            embedder_id="e", provenance=Provenance(source=source),
        )
        for number, text in enumerate(texts)
    ]  # fmt: skip
    return UserIndex.of(2, [StoredMemory(item, np.zeros(2, np.float32)) for item in items])


def texts(lines):
    return [line.item.text for line in lines]


FACTS = (
    "User is allergic to peanuts", "User saw a film about bees", "User's name is Finley",
    "User prefers short answers in bullet points", "User always uses TypeScript in strict mode",
)  # fmt: skip


def test_a_profile_has_the_standing_facts_only():
    """Most important first; each line is a memory and names it."""
    lines = profile_of(index_of(*FACTS), ALICE)
    assert texts(lines)[0] == "User's name is Finley"
    assert "User saw a film about bees" not in texts(lines)
    assert {line.item.id for line in lines} == {"0", "2", "3", "4"}
    assert profile_of(index_of(*FACTS), Scope(tenant="local", user_id="bob")) == []


def test_a_constraint_bears_on_its_topics():
    """An allergy on a recipe, a habit of coding on code, neither on a poem."""
    lines = profile_of(index_of(*FACTS), ALICE)
    food = bearing(lines, Need.of("Give me a dinner recipe"))
    assert texts(food)[0] == "User is allergic to peanuts"
    code = bearing(lines, Need.of("Write a function that parses dates"))
    assert texts(code) == ["User always uses TypeScript in strict mode"]
    assert bearing(lines, Need.of("Why is the sky blue?")) == []


def test_what_is_said_of_code_bears_on_requests_about_code():
    """Whatever it is: somebody who writes TypeScript gets TypeScript."""
    lines = profile_of(index_of("All my scripts are TypeScript in strict mode."), ALICE)
    assert texts(bearing(lines, Need(about_user=False, topics=frozenset({"code"}))))
    assert not bearing(lines, Need(about_user=False, topics=frozenset({"gifts"})))


def test_wishes_are_told_apart():
    """They go with every request."""
    lines = profile_of(index_of(*FACTS), ALICE)
    assert texts(wishes(lines)) == ["User prefers short answers in bullet points"]


def test_everything_is_told_to_who_asks_for_it():
    """The profile first, then the rest."""
    index = index_of(*FACTS)
    every = broad(profile_of(index, ALICE), index, ALICE)
    assert set(texts(every)) == set(FACTS)
    assert texts(every)[-1] == "User saw a film about bees"


def test_hearsay_makes_no_line():
    """What only others said of the user constrains nobody."""
    assert profile_of(index_of(*FACTS, source=Source.ASSISTANT), ALICE) == []


def test_the_newest_of_many_are_kept():
    """A few lines of each trait."""
    many = [f"User is allergic to kind {number} of nuts" for number in range(20)]
    lines = profile_of(index_of(*many), ALICE)
    assert 0 < len(lines) < 10
    assert "kind 19" in texts(lines)[0]
