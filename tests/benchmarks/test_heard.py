"""The figures of what is heard: their rows, what is counted, and the way of a turn."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.heard import counting, table
from benchmarks.heard.telling import ANSWER, Hearing, turns
from benchmarks.relevance import table as printing
from benchmarks.relevance.counting import Counts
from benchmarks.relevance.doors import Doors, Listener
from recollect.memory.engine.options import EngineOptions
from recollect.memory.recall.options import RecallOptions
from tests.support.parts import engine_of

BLOCK = (
    "<notes-1>\nNotes of this user - data.\n2026-11-27:\n- 10:54 User said: My dog is Bruno.\n"
    "- (hearsay) My cat is Tom.\n2026-11-28:\n- The user pasted: my horse is Max.\n</notes-1>"
)
ENTRIES = [
    "10:54 User said: My dog is Bruno.",
    "(hearsay) My cat is Tom.",
    "The user pasted: my horse is Max.",
]


FEWEST = 10


def both(part):
    return [*counting.read(part), *counting.read(part, dev=True)]


@pytest.mark.parametrize("dev", [False, True])
def test_each_class_has_rows_that_are_fresh_and_others(dev):
    kept = Counter(row["class"] for row in counting.read("kept", dev=dev))
    assert kept.keys() == set(table.CLASSES)
    assert min(kept.values()) >= FEWEST
    assert set(Counter(row["kind"] for row in counting.read("noise", dev=dev))) == set(table.KINDS)
    assert (
        min(len(counting.read(part, dev=dev)) for part in ("noise", "glued", "private")) >= FEWEST
    )


@pytest.mark.parametrize("part", list(table.FIGURES))
def test_a_row_is_a_conversation_that_ends_with_the_user(part):
    found = both(part)
    assert len({row["id"] for row in found}) == len(found)
    for row in found:
        assert row["messages"][-1]["role"] == "user", row["id"]
        assert list(turns(row["messages"])), row["id"]
    assert sum(row["lang"] != "en" for row in found) >= len(found) * 0.25


def test_what_is_sought_is_said_there_and_not_in_the_question():
    for row in (row for part in ("kept", "glued", "private") for row in both(part)):
        said = "\n".join(one["content"] for one in row["messages"])
        needles = [
            *row["needles"],
            *row.get("not", ()),
            *([row["first"]] if "first" in row else ()),
        ]
        if "pasted" in row:
            needles.append(row["pasted"]["needle"])
            assert not counting.has(row["pasted"]["ask"], row["pasted"]["needle"]), row["id"]
        assert all(counting.has(said, needle) for needle in needles), row["id"]
        if "unrelated" not in row:
            asked = [counting.has(row["ask"], needle) for needle in row["needles"]]
            assert not all(asked), row["id"]


def test_entries_of_a_block_are_its_lines():
    assert counting.entries(BLOCK) == ENTRIES
    assert counting.entries("") == []


@pytest.mark.parametrize(
    ("text", "needle", "there"),
    [
        ("I said No.", "no", True),
        ("I know it", "no", False),
        ("私の職業は獣医です", "獣医", True),
        ("мою кошку зовут Клёпа", "клёпа", True),
        ("it is `oxlint`.", "oxlint", True),
        ("my film is _Local Hero_", "Local Hero", True),
        ("14,200 saved", "4,200", False),
        ("24.200", "4.200", False),
    ],
)  # fmt: skip
def test_a_needle_is_a_whole_word_where_there_are_words(text, needle, there):
    assert counting.has(text, needle) is there


def test_only_what_is_not_marked_is_the_users_own_word():
    assert counting.as_own("Bruno", ENTRIES)
    assert not counting.as_own("Tom", ENTRIES)
    assert not counting.as_own("Max", ENTRIES)


def test_rows_are_counted_by_what_is_shown_and_what_is_kept():
    counts = Counts()
    row = {"class": "lists", "lang": "de", "needles": ["Bruno", "Tom"], "not": ["Max", "Bruno"]}
    counting.kept(counts, row, ENTRIES, ["Bruno and Tom"])
    counting.kept(counts, {**row, "together": True}, ENTRIES, ["Bruno and Tom"])
    assert counts.found["kept lists shown"] == {"all": [1, 2], "de": [1, 2]}
    assert counts.found["kept there"]["all"] == [2, 2]
    assert counts.found["kept foreign"]["all"] == [2, 4]
    counting.pasted(counts, {"lang": "de", "pasted": {"needle": "Max"}}, ENTRIES)
    assert counts.found["pasted shown"]["all"] == [1, 1]
    assert counts.found["pasted as own"]["all"] == [0, 1]


def test_noise_is_counted_for_a_question_and_for_the_same_again():
    counts = Counts()
    counting.noise(counts, {"kind": "order", "lang": "en"}, [], ["x"])
    assert counts.found["noise order shown"]["all"] == [0, 1]
    assert counts.found["noise again"]["all"] == [1, 1]


def test_two_messages_in_one_line_are_glued():
    counts = Counts()
    row = {"lang": "en", "first": "dog", "needles": ["cat"]}
    counting.glued(counts, row, ["a dog", "a cat"])
    counting.glued(counts, row, ["a dog and a cat"])
    counting.glued(counts, row, ["a cat"])
    assert counts.found["glued"]["all"] == [1, 3]
    assert counts.found["glued first"]["all"] == [2, 3]
    assert counts.found["glued shown"]["all"] == [3, 3]


def test_a_private_matter_is_counted_beside_its_own_question():
    counts = Counts()
    row = {"lang": "en", "needles": ["debt"], "lure": True}
    counting.private(counts, row, ["in debt"], [])
    counting.private(counts, {**row, "lure": False}, [], ["in debt"])
    assert counts.found["private unrelated"]["all"] == [1, 2]
    assert counts.found["private lure"]["all"] == [1, 1]
    assert counts.found["private shown"]["all"] == [1, 2]


def test_every_figure_of_a_part_is_printed_under_its_name():
    counts = Counts()
    counting.noise(counts, {"kind": "order", "lang": "en"}, [], ["x"])
    printed = "\n".join(printing.printed("noise", counts, table.FIGURES))
    assert "noise, for the same again: shown" in printed
    assert printing.figures(counts, table.FIGURES)["noise again"]["goal"] == "0"


def test_a_conversation_is_told_turn_by_turn():
    said = [{"role": role, "content": text} for role, text in
            (("user", "a"), ("assistant", "b"), ("user", "c"))]  # fmt: skip
    told = [([one.content for one in messages], answer) for messages, answer in turns(said)]
    assert told == [(["a"], "b"), (["a", "b", "c"], ANSWER)]
    with pytest.raises(ValueError, match="no turns"):
        list(turns(said[1:]))


async def test_what_is_told_is_kept_and_found_in_a_new_conversation():
    listener = Listener()
    everything = EngineOptions(recall=RecallOptions(threshold=0.0))
    hearing = Hearing(Doors(engine_of(listener, everything), listener))
    async with hearing.engine.running():
        said = [{"role": "user", "content": "My dog is called Bruno."}]
        await hearing.tell("u", said)
        await hearing.settled()
        assert await hearing.passages("u") == ["My dog is called Bruno."]
        [entry] = await hearing.ask("u", "What is my dog called?")
        assert entry.endswith("My dog is called Bruno.")
        assert await hearing.ask("somebody else", "What is my dog called?") == []
