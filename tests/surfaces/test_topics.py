"""The topics of memories at every door that tells them, after chats that brought some up together."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from recollect.memory.calibration import Calibration, save_calibration
from recollect.memory.calibration.weights import BUILT_IN
from tests.surfaces.all import told_on
from tests.surfaces.place import a_place
from tests.surfaces.rest import Rest

ALICE = {"user_id": "alice"}
MEASURED = Calibration(
    recall=0.1, update=0.9, same=0.98, floor=0.0, ceiling=0.9, dim=384, weights=BUILT_IN
)
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
ROSES = [f"The garden has roses with petals and thorns, {n} row" for n in ORDINALS.split()]
BEANS = [f"The garden has beans on poles behind sheds, {n} row" for n in ORDINALS.split()]
BOAT = "A boat called Aurora lies in harbour"
KITE = "Kite with a yellow string"
WISH = "Please always answer me in short sentences."


@pytest.fixture(scope="module")
def shared_place(tmp_path_factory):
    """A product that was told what the cosines of its embedder mean."""
    file = tmp_path_factory.mktemp("measured") / "calibration.json"
    save_calibration(
        file, "fake-words-384", MEASURED, measured_at=datetime.now(UTC), counts={"same": 20}
    )
    with a_place(recall__calibration=str(file)) as place:
        yield place


def ask(surface, question):
    """A chat of Alice, whichever door tells of it afterwards; what it was given is counted."""
    surface.place.says("I see.")
    asked = {"model": "m", "user": "alice", "messages": [{"role": "user", "content": question}]}
    door = Rest(surface.place, surface.tenant)
    door.send("POST", "/v1/chat/completions", json.dumps(asked).encode())
    [request] = surface.place.model.requests
    return "\n".join(one["content"] for one in request["messages"])


def told(surface):
    """The members of each topic, by the id of the topic."""
    graph = surface.run("topics.graph", **ALICE)
    topics = graph["topics"] if "topics" in graph else graph["results"]
    return {each["id"]: sorted(one["memory"] for one in each["members"]) for each in topics}


@told_on("add", "topics.graph")
def test_a_topic_of_more_than_a_reader_takes_in_is_split_into_topics(surface):
    """Along what its memories are about: none of them is by itself for it."""
    surface.add(*[text for pair in zip(ROSES, BEANS, strict=True) for text in pair][:20])
    [(name, members)] = told(surface).items()
    assert len(members) == 20
    surface.add(ROSES[10], BEANS[10], ROSES[11], BEANS[11])
    after = told(surface)
    assert sorted(after.values()) == [sorted(BEANS), sorted(ROSES)]
    assert after[name] == sorted(ROSES)  # the oldest memory gives the name


@told_on("add", "topics.graph", "topics.dedupe")
def test_topics_are_connected_by_what_bore_on_one_message(surface):
    """Not by a wish that goes with every chat, nor by a chat on which one of them bore."""
    surface.add(*ROSES[:2], KITE, BOAT, WISH)
    given = ask(surface, "Where are my roses with petals, and where lies the boat Aurora?")
    assert ROSES[0] in given
    assert BOAT in given
    assert WISH in given
    assert KITE in ask(surface, "Which string has my kite?")
    graph = surface.run("topics.graph", min_members=1, **ALICE)
    of = {each["id"]: {one["memory"] for one in each["members"]} for each in graph["topics"]}
    [edge] = graph["edges"]
    assert (edge["kind"], edge["weight"]) == ("co_recalled", 1)
    assert of[edge["source"]] | of[edge["target"]] == {*ROSES[:2], BOAT}


@told_on("add", "topics.dedupe", "get_all")
def test_what_says_the_same_is_merged_by_one_call(surface):
    """As consolidation does it: the duplicate is superseded, and nothing is erased."""
    memory = surface.place.memory(surface.tenant)
    for text in (BOAT, f"{BOAT}."):
        surface.place.call(memory.add(text, infer=False, dedupe=False, **ALICE))
    [run] = surface.run("topics.dedupe", **ALICE)["results"]
    assert (run["kind"], run["state"]) == ("consolidate", "done")
    assert len(surface.texts()) == 1
