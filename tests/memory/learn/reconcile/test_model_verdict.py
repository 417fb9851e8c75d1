"""Asks a model about memories of one matter and reads its answer."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.reconcile import Neighbour, Undecided, question, read_answer
from recollect.memory.learn.reconcile.model_verdict import (
    MAX_CANDIDATES,
    MAX_MERGED_CHARS,
    MAX_SHOWN,
    MAX_TEXT_CHARS,
    stands_in,
)
from recollect.memory.model.types import Candidate, EventKind, MemoryType, Source
from tests.memory.learn.doubles import a_decision
from tests.support.folding import rows

OLD, NEW = "User works at Acme as a data scientist", "User moved to BigTech on 2026-03-01"


@rows(
    "merged, stands",
    [
        ("User works at BigTech as a data scientist since 2026-03-01", True),
        ("User, once at Acme, is a data scientist at BigTech", True),
        ("User works at BigTech in Berlin", False),
        ("User works at BigTech since 2025", False),
        ("", False),
        ("x" * (MAX_MERGED_CHARS + 1), False),
    ],
)
def test_names_and_numbers_must_have_been_said(merged, stands):
    """Other words may be new; a name or a number is in one of the sources."""
    assert stands_in(merged, (OLD, NEW)) is stands


NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def asked(text, *known, at=None):
    candidate = Candidate(text=text, quote="so I said", importance=0.8, source=Source.USER)
    neighbours = [
        Neighbour(f"id-{n}-{text}", one, MemoryType.SEMANTIC, 0.5 + n / 100, NOON)
        for n, one in enumerate(known)
    ]
    deferred = a_decision(
        EventKind.ADD,
        f"new-{text}",
        text,
        stage="rule",
        reason="kept beside what may be the same matter",
        pending=tuple(one.id for one in neighbours),
        quote="so I said",
        importance=0.8,
        source=Source.USER,
    )
    return Undecided(candidate, neighbours, deferred, at)


TWO = [
    asked("User eats fish again", "User is vegan", "User's brother fishes"),
    asked("User moved to Trieste", "User lives in Graz", "User was born in Graz"),
]


def verdicts(*values):
    keys = ("fact", "event", "known", "text")
    return json.dumps({"decisions": [dict(zip(keys, value, strict=False)) for value in values]})


def answer(text, about=None):
    about = TWO if about is None else about
    told = read_answer(text, about)
    first = [(group or [one.deferred])[0] for one, group in zip(about, told, strict=True)]
    return [(each.event.value, each.memory_id) for each in first], told.count(None)


ADDED = [("ADD", "new-User eats fish again"), ("ADD", "new-User moved to Trieste")]


def test_a_question_is_bounded():
    """A call has so many facts, each so many memories, each so many characters, and no more."""
    many = [asked(f"fact {n} " + "x" * 5000, *["y" * 5000] * 20) for n in range(MAX_CANDIDATES)]
    lines = question(many)[1].content.splitlines()
    assert len(lines) == MAX_CANDIDATES * (1 + MAX_SHOWN)
    assert max(map(len, lines)) < MAX_TEXT_CHARS + 40
    for wrong in ([], [*many, many[0]]):
        with pytest.raises(ValueError, match="a question is about"):
            question(wrong)


def test_what_a_model_says_is_decided():
    """Each event reaches the memory behind its number, with both texts and the candidate's own."""
    result = read_answer(verdicts((1, "UPDATE", 1), (2, "DELETE", 3)), TWO)
    [update], [delete, stated] = result
    assert (update.event, update.memory_id) == (EventKind.UPDATE, TWO[0].neighbours[0].id)
    assert (update.text, update.old_text) == ("User eats fish again", "User is vegan")
    assert (delete.event, delete.old_text) == (EventKind.DELETE, "User lives in Graz")
    assert (stated.event, stated.text) == (EventKind.ADD, "User moved to Trieste")
    assert (update.stage, update.score, update.quote) == ("ask", 0.5, "so I said")
    assert (update.importance, update.source) == (0.8, Source.USER)
    assert "model" in update.reason
    assert not update.pending + delete.pending + stated.pending


@rows(
    "about, events",
    [
        ([(1, "ADD", None), (1, "DELETE", 2)], ["DELETE", "ADD"]),
        ([(1, "UPDATE", 1), (1, "DELETE", 2)], ["UPDATE", "DELETE"]),
        ([(1, "UPDATE", 2), (1, "UPDATE", 1)], ["UPDATE", "DELETE"]),
        ([(1, "NONE", 1), (1, "DELETE", 2)], ["NONE", "DELETE"]),
        ([(1, "DELETE", 1), (1, "DELETE", 2)], ["DELETE", "DELETE", "ADD"]),
    ],
)
def test_a_fact_may_cause_several_operations(about, events):
    """Each is about another memory; at most one takes the text of the fact."""
    [group, _] = read_answer(verdicts(*about, (2, "ADD", None)), TWO)
    assert [decision.event.value for decision in group] == events
    assert len({decision.memory_id for decision in group}) == len(group)


@rows(
    "about, events, named",
    [
        ([(1, "UPDATE", 1), (1, "UPDATE", 3)], ["UPDATE"], "UPDATE of a memory that was not shown"),
        ([(1, "NONE", 1), (1, "DELETE", 77)], ["NONE"], "DELETE of a memory that was not shown"),
        (
            [(1, "DELETE", 1), (1, "UPDATE", 2), (1, "NONE", 2)],
            ["DELETE", "ADD"],
            "UPDATE of a memory that has several rows, NONE of a memory that has several rows",
        ),
    ],
)
def test_what_is_valid_is_carried_out_and_the_rest_is_named(about, events, named):
    """One wrong row costs the others nothing, and whoever reads the history sees it."""
    result = read_answer(verdicts(*about, (2, "ADD", None)), TWO)
    assert [decision.event.value for decision in result[0]] == events
    assert result[0][0].reason.endswith(f"; not carried out: {named}")


SOLD = "User sold the Volvo and bought a bicycle"


@rows("update, add, texts",
    [
        ("User sold the Volvo", "User bought a bicycle", ["User sold the Volvo", "User bought a bicycle"]),
        ("User sold the Volvo", None, ["User sold the Volvo", SOLD]),
        ("User sold the Volvo", "User bought a Trek", ["User sold the Volvo", SOLD]),
        (None, "User bought a bicycle", [SOLD]),
        (None, None, [SOLD]),
    ],
)  # fmt: skip
def test_a_fact_that_says_two_things_may_have_an_operation_for_each(update, add, texts):
    """What was known is replaced, and nothing of the fact is lost."""
    about = [asked(SOLD, "User drives a red Volvo")]
    said = verdicts((1, "UPDATE", 1, update), (1, "ADD", None, add))
    [group] = read_answer(said, about)
    assert [one.text for one in group] == texts
    assert [one.event.value for one in group] == ["UPDATE", "ADD"][: len(texts)]
    assert group[0].old_text == "User drives a red Volvo"
    assert len({one.memory_id for one in group}) == len(group)


@rows(
    "wrap",
    [
        "{}",
        "```json\n{}\n```",
        "Sure! Here it is: {} Let me know.",
        '<think>maybe {{"decisions": []}}</think>{}',
        'The form is {{"decisions": [{{"fact": 1, "event": "ADD", "known": null}}]}}.\n{}',
    ],
)
def test_wrapping_is_forgiven(wrap):
    """Fences, prose, reasoning and a quoted form before the answer are no obstacle."""
    said = wrap.format(verdicts((1, "UPDATE", 1), (2, "ADD", None)))
    assert answer(said) == ([("UPDATE", TWO[0].neighbours[0].id), ADDED[1]], 0)


@rows(
    "said",
    [
        '[{"fact": 1, "event": "UPDATE", "known": 1}, {"fact": 2, "event": "ADD"}]',
        '{"results": [{"fact": "1", "event": "update", "known": "1"}, {"fact": 2, "event": "ADD"}]}',
        '{"fact": 1, "event": "UPDATE", "known": 1} {"fact": 2, "event": "ADD"}',
    ],
)
def test_other_shapes_are_forgiven(said):
    """A bare list, another key, numbers in quotes and lower case say the same."""
    assert answer(said) == ([("UPDATE", TWO[0].neighbours[0].id), ADDED[1]], 0)


@rows(
    "row",
    [
        (1, "UPDATE", 3),
        (1, "UPDATE", 99),
        (1, "UPDATE", 0),
        (1, "DELETE", -1),
        (1, "DELETE", None),
        (1, "UPDATE", "id-0-User eats fish again"),
        (1, "UPDATE", 1.0),
        (1, "UPDATE", True),
        (1, "NONE", 4),
        (1, "MERGE", 1),
        (1, "QUARANTINE", 1),
        (1, None, 1),
        (7, "UPDATE", 1),
        ("one", "UPDATE", 1),
        (True, "UPDATE", 1),
    ],
)
def test_what_was_not_offered_is_rejected(row):
    """An id of another fact or of none, an unknown event or fact: counted, and the ADD stands."""
    assert answer(verdicts(row, (2, "ADD", None))) == (ADDED, 1)


@rows(
    "said",
    ["", "I am not sure.", "[" * 100_000, "null", "{}", "[]", '{"decisions": "none"}', "<html>"],
)
def test_no_answer_leaves_the_adds(said):
    """Prose, emptiness and hostile input reject every row and end in time."""
    assert answer(said) == (ADDED, 2)


def test_what_nothing_is_named_for_is_kept():
    """Known already, but by nothing that was named: the fact stays, linked and judged."""
    about = [replace(TWO[0], deferred=replace(TWO[0].deferred, matter="group"))]
    [[kept]] = read_answer(verdicts((1, "NONE", None)), about)
    assert (kept.event, kept.text) == (EventKind.ADD, "User eats fish again")
    assert (kept.matter, kept.pending, kept.stage) == ("group", (), "ask")
    about = [replace(TWO[0], deferred=replace(TWO[0].deferred, matter=None))]
    [[alone]] = read_answer(verdicts((1, "ADD", None)), about)
    assert alone.matter == alone.memory_id


@rows("event", ["UPDATE", "DELETE"])
def test_a_model_cannot_turn_back_time(event):
    """A candidate that is older than the memory never changes it: both stay."""
    about = [asked("User lives in Graz", "User lives in Trieste", at=NOON - timedelta(days=9))]
    [[decision]] = read_answer(verdicts((1, event, 1)), about)
    assert (decision.event, decision.pending) == (EventKind.ADD, ())
    about = [asked("User lives in Graz", "User lives in Trieste", at=NOON + timedelta(days=9))]
    assert read_answer(verdicts((1, event, 1)), about)[0][0].event.value == event


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["fact", "event", "known", "decisions", "text"]), inner, max_size=3
        )
    ),
)


@given(st.one_of(st.text(), VALUES.map(json.dumps)))
def test_any_answer_is_read(said):
    """Whatever comes back, each fact is stored, updates a memory or is known to one offered."""
    result = read_answer(said, TWO)
    for one, found in zip(TWO, result, strict=True):
        group = [one.deferred] if found is None else found
        offered = {neighbour.id for neighbour in one.neighbours}
        assert {each.memory_id for each in group} <= offered | {one.deferred.memory_id}
        assert [each for each in group if each.event is not EventKind.DELETE]


def beside(source, known_is_hearsay, *, at=None):
    """A fact and a memory, one of which nobody but others may have said."""
    one = asked("User eats fish again", "User eats fish and trusts Bob", at=at)
    near = [replace(each, is_hearsay=known_is_hearsay) for each in one.neighbours]
    candidate = replace(one.candidate, source=source)
    return [replace(one, candidate=candidate, neighbours=near)]


def test_the_user_is_not_dropped_for_what_others_said():
    """A fact that only hearsay says already becomes the user's, in the user's words only."""
    about = beside(Source.USER, known_is_hearsay=True)
    known = about[0].neighbours[0].id
    for said in (
        (1, "NONE", 1, None),
        (1, "UPDATE", 1, "User eats fish again and trusts Bob"),
    ):
        [[decision]] = read_answer(verdicts(said), about)
        assert (decision.event, decision.memory_id) == (EventKind.UPDATE, known)
        assert decision.text == "User eats fish again"
    later = beside(Source.USER, known_is_hearsay=True, at=NOON - timedelta(days=1))
    assert answer(verdicts((1, "NONE", 1, None)), later)[0] == ADDED[:1]
    theirs = beside(Source.TOOL, known_is_hearsay=True)
    assert answer(verdicts((1, "NONE", 1, None)), theirs)[0] == [("NONE", known)]
