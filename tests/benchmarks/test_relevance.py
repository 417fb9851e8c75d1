"""The figures of relevance: their rows, what is counted, and the doors on a small store."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from benchmarks.relevance import counting, own, table
from benchmarks.relevance.counting import Counts
from benchmarks.relevance.doors import Doors, Listener
from recollect.memory.engine.options import EngineOptions
from recollect.memory.recall.options import RecallOptions
from tests.support.parts import engine_of

TOY = {
    "id": "toy",
    "facts": [
        {"id": "f1", "text": "User plays the harp"},
        {"id": "f2", "text": "User drives a lorry"},
        {"id": "f3", "text": "User keeps geese"},
    ],
    "asks": [
        {"q": "Which lorry drives the user?", "lang": "en", "kind": "direct", "needs": ["f2"]},
        {"q": "harp and geese of the user", "lang": "de", "kind": "task", "needs": ["f1", "f3"]},
    ],
}


@pytest.fixture
async def doors():
    listener = Listener()
    everything = EngineOptions(recall=RecallOptions(threshold=0.0))
    return Doors(engine_of(listener, everything), listener)


def test_every_part_has_its_rows():
    """A row that names a fact which is not there measures nothing."""
    counted = {name: len(own.own(name)) for name in own.OWN}
    assert counted == {
        "precision": 1,
        "plain": 80,
        "impersonal": 80,
        "constraints": 100,
        "standing": 165,
        "tells": 9,
    }
    for name in own.OWN:
        ids = [row["id"] for row in own.own(name)]
        assert len(ids) == len(set(ids)), name


def test_what_a_question_needs_is_stored():
    [row] = own.own("precision")
    known = {fact["id"] for fact in row["facts"]}
    assert (len(known), len(row["asks"])) == (40, 80)
    assert all(ask["needs"] and set(ask["needs"]) <= known for ask in row["asks"])
    assert sum(ask["lang"] != "en" for ask in row["asks"]) == 20
    for person in own.own("tells"):
        known = {fact["id"] for fact in person["facts"]}
        assert all(set(told["needs"]) <= known for told in person["tells"])
    plain = own.own("plain")
    assert set(Counter(row["lang"] for row in plain).values()) == {10}
    assert all(0 <= number < len(row["memories"]) for row in plain for number in row["needs"])


def test_what_is_sought_in_a_chat_is_told_there():
    for row in own.own("constraints"):
        assert row["needle"] in row["told"]


def test_lines_are_counted_by_what_is_needed():
    counts = Counts()
    counting.lines(counts, "x", "en", ["a", "b", "b"], {"a", "c"})
    counting.lines(counts, "x", "de", [], {"d"})
    counting.lines(counts, "x", "de", [str(number) for number in range(9)], {"1"})
    assert counts.found["x needed"] == {"all": [2, 4], "en": [1, 2], "de": [1, 2]}
    assert counts.found["x whole"]["all"] == [1, 3]
    assert counts.found["x right"]["all"] == [2, 12]
    assert counts.found["x silent"] == {"all": [1, 3], "en": [0, 1], "de": [1, 2]}
    assert counts.found["x flooded"]["de"] == [1, 2]
    assert counts.share("x lines") == 4
    assert math.isnan(counts.share("y"))


async def test_a_search_is_counted_against_the_facts_that_it_needs(doors):
    """Without a threshold everything is found: three lines, of which a question needs one or two."""
    counts = Counts()
    await own.precision(doors, [TOY], counts)
    found = await doors.search("toy", "lorry")
    assert found.names[0] == "f2"
    lines = len(found.names)
    assert counts.found["precision search ten needed"] == {
        "all": [3, 3],
        "en": [1, 1],
        "de": [2, 2],
    }
    assert counts.found["precision search ten right"]["all"] == [3, 2 * lines]
    assert counts.found["precision chat needed"]["all"][1] == 3
    assert counts.found["precision answer needed"]["all"][1] == 3


async def test_a_chat_names_the_facts_that_it_is_given(doors):
    await doors.note("toy", [("f1", "User plays the harp")])
    given = await doors.chat("toy", "Do I play the harp?")
    assert given.names == given.bearing == ("f1",)
    assert "User plays the harp" in given.text
    assert given.tokens > 0
    nothing = await doors.chat("nobody", "Do I play the harp?")
    assert (nothing.names, nothing.text, nothing.tokens) == ((), "", 0)


async def test_an_answer_is_counted_by_what_its_model_is_shown(doors):
    await doors.note("toy", [("f1", "User plays the harp")])
    assert "User plays the harp" in await doors.answer("toy", "Which harp plays the user?")
    assert await doors.answer("nobody", "Which harp plays the user?") == ""


def test_every_figure_is_printed_once_and_beside_its_goal():
    counts = Counts()
    keys = [figure.key for some in table.FIGURES.values() for figure in some]
    assert len(keys) == len(set(keys))
    counts.add("plain needed", "en", 3, 4)
    counts.add("plain needed", "de", 1, 4)
    [_, line] = table.printed("plain", counts)
    assert line.split()[-9:-5] == [".500", "8", ">=", "95"]
    assert line.endswith("de .250 en .750")
