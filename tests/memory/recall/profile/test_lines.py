"""The lines of a profile, and which of them a request needs."""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import numpy as np
import pytest

from recollect.memory.calibration import SAFE
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.types import (
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
    utc_now,
)
from recollect.memory.recall.index.user_index import UserIndex
from recollect.memory.recall.profile import Line, Need, bearing, broad, profile_of, wishes
from recollect.memory.recall.prototypes import WISHED, Likeness, Prototypes

ALICE = Scope(tenant="local", user_id="alice")
NOW = utc_now()


def index_of(*texts, source=Source.USER, kind=MemoryType.SEMANTIC, flags=(), vectors=None):
    items = [
        MemoryItem(
            id=str(number), text=text, type=kind, scope=ALICE,
            created_at=NOW + timedelta(minutes=number), updated_at=NOW + timedelta(minutes=number),
            embedder_id="e", provenance=Provenance(source=source, flags=flags),
        )
        for number, text in enumerate(texts)
    ]  # fmt: skip
    if vectors is None:
        vectors = np.zeros((len(texts), 2), np.float32)
    stored = [StoredMemory(item, vector) for item, vector in zip(items, vectors, strict=True)]
    return UserIndex.of(vectors.shape[1], stored)


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
    assert {line.item.id for line in lines} == {"0", "2", "3"}
    assert profile_of(index_of(*FACTS), Scope(tenant="local", user_id="bob")) == []


def test_a_constraint_bears_on_what_somebody_asks_for_themselves():
    """By its words alone, whatever the topic; not on a question of knowledge."""
    lines = profile_of(index_of(*FACTS), ALICE)
    asked = Need.of("What should I cook?").topics
    assert texts(bearing(lines, asked)) == ["User is allergic to peanuts"]
    assert bearing(lines, Need.of("Why is the sky blue?").topics) == []


def line_of(text, *topics):
    item = replace(index_of(text).entries[0].item, id=text)
    return Line(item, frozenset(), frozenset(topics), 0)


def test_only_the_constraints_of_the_topic_come_up():
    """Those of most of its topics first: nothing else has business there."""
    lines = [
        line_of("never flies", "travel"),
        line_of("eats no pork", "food", "travel"),
        line_of("four spaces", "code"),
    ]
    assert texts(bearing(lines, frozenset({"food"}))) == ["eats no pork"]
    both = bearing(lines, frozenset({"food", "travel"}))
    assert texts(both) == ["eats no pork", "never flies"]


async def test_meaning_tells_what_words_do_not():
    """What bears on what, and traits that have no words."""
    embedder = FakeEmbedder()
    told = ("I always use four spaces.", "I work as an accountant.", "It rained all day.")
    vectors = await embedder.embed(told)
    prototypes = await Prototypes.of(embedder, SAFE)
    lines = profile_of(index_of(*told, vectors=vectors), ALICE, prototypes)
    assert [(line.item.text, set(line.traits), set(line.bears_on)) for line in lines] == [
        ("I work as an accountant.", {"work"}, set()),
        ("I always use four spaces.", {"tools"}, {"code"}),
    ]


def test_wishes_are_told_apart():
    """They go with every request."""
    lines = profile_of(index_of(*FACTS), ALICE)
    assert texts(wishes(lines)) == ["User prefers short answers in bullet points"]


def wished_of(text, **how):
    return texts(wishes(profile_of(index_of(text, **how), ALICE)))


@pytest.mark.parametrize("kind", [MemoryType.SEMANTIC, MemoryType.PROCEDURAL, MemoryType.EPISODIC])
def test_a_learned_wish_is_one_whatever_its_type(kind):
    """What a model calls it decides nothing."""
    text = "User prefers short answers without emojis"
    assert wished_of(text, source=Source.EXTRACTION, kind=kind) == [text]


@pytest.mark.parametrize(
    ("kind", "wished"), [(MemoryType.SEMANTIC, False), (MemoryType.PROCEDURAL, True)]
)
def test_what_a_model_calls_a_way_to_do_something_need_be_less_near(kind, wished):
    """Its type says a part of what its meaning leaves open."""
    near = SimpleNamespace(
        languages={"en", "und"}, told=lambda _: Likeness(wished=WISHED - 0.01, unfit=-0.2)
    )
    index = index_of("User wants the conclusion at the top", source=Source.EXTRACTION, kind=kind)
    assert bool(wishes(profile_of(index, ALICE, near))) is wished


def test_how_a_task_is_done_is_no_line():
    """A procedure of an agent's run is nothing that the user said."""
    text = "To get temperatures, the user wants Celsius: call weather, then convert"
    index = index_of(text, source=Source.TOOL, kind=MemoryType.PROCEDURAL)
    assert profile_of(index, ALICE) == broad([], index, ALICE) == []


@pytest.mark.parametrize(
    "text",
    [
        "User prefers short answers in bullet points with a link to https://a.example",
        "User prefers short answers in bullet points with the image ![a](b)",
        "User prefers short answers in bullet points that begin with sudo reboot",
    ],
)
def test_a_wish_that_leads_somewhere_needs_a_person(text):
    """An address, an image and a command go with other messages only when somebody let them."""
    assert wished_of(text, source=Source.EXTRACTION) == []
    assert wished_of(text, source=Source.EXTRACTION, flags=("steering",)) == [text]


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
    """So many lines of constraints, and fewer of each other trait."""
    many = [f"User is allergic to kind {number} of nuts" for number in range(20)]
    lines = profile_of(index_of(*many), ALICE)
    assert len(lines) == 16
    assert "kind 19" in texts(lines)[0]
