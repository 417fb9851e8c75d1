"""What queries take, and where their next page begins."""

import asyncio
from datetime import timedelta
from itertools import count, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.filters import NOTHING
from recollect.memory.model.quantities import FIRST_MS, LAST_MS
from recollect.memory.model.types import MemoryStatus, MemoryType, Scope
from recollect.memory.query import EVERYTHING, evaluate, parse, predicate
from recollect.memory.query.arguments import NAMES, read_arguments
from recollect.memory.query.cursor import (
    MOST_SHOWN,
    ListMark,
    is_after,
    mark_of,
    place_of,
    read,
    read_marks,
    written,
    written_marks,
)
from recollect.memory.query.entities import entities_in, with_memories
from recollect.memory.query.evaluate import passing
from tests.memory.memories.memories import NOON, memory
from tests.memory.recall.memories import item
from tests.support.budget import examples
from tests.support.filtering import filters, holds, items
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)

ALICE = Scope(tenant="t", user_id="alice")


def test_nothing_given_means_the_active_memories_of_now():
    """Also if everything is given as None."""
    for said in ({}, dict.fromkeys(NAMES)):
        found = read_arguments(said)
        assert found.statuses == {MemoryStatus.ACTIVE}
        assert found.where == EVERYTHING
        assert not found.in_the_past
        assert not found.narrows(ALICE)


def test_what_every_memory_of_a_scope_has_narrows_nothing():
    """All types, a filter without a condition, the scope's own user."""
    for said in (
        {"types": list(MemoryType)},
        {"filters": {"OR": [{}]}},
        {"filters": {"user_id": "alice"}},
        {"statuses": ["archived"]},
    ):
        assert not read_arguments(said).narrows(ALICE)
    for said in ({"types": ["semantic"]}, {"filters": {"user_id": "bob"}}, {"kinds": ["said"]}):
        assert read_arguments(said).narrows(ALICE)


@rows("name", ["as_of", "known_at", "created_from", "valid_to"])
@rows("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_the_ends_of_the_calendar_have_no_offset(name, moment):
    """They have no equal in UTC."""
    with pytest.raises(InvalidInputError) as refused:
        read_arguments({name: moment})
    assert refused.value.field == name


def test_filters_and_the_other_arguments_must_all_hold():
    """Types, session, ranges."""
    found = read_arguments(
        {"types": ["semantic"], "filters": {"tag": "a"}, "created_from": "2026-03-02T12:00:00Z",
         "created_to": NOON + timedelta(hours=1)}
    )  # fmt: skip
    passes = predicate(found.where)
    assert passes(memory(ALICE, metadata={"tag": "a"}).item)
    assert not passes(memory(ALICE, metadata={"tag": "b"}).item)
    assert not passes(memory(ALICE, metadata={"tag": "a"}, minutes=-1).item)
    assert not passes(memory(ALICE, metadata={"tag": "a"}, minutes=60).item)
    assert not predicate(read_arguments({"types": [MemoryType.EPISODIC]}).where)(memory(ALICE).item)
    assert not predicate(read_arguments({"session": "c1"}).where)(memory(ALICE).item)


def test_validity_ranges_meet_open_ends():
    """A memory without a beginning or an end is true at any time."""
    passes = predicate(
        read_arguments({"valid_from": NOON, "valid_to": NOON + timedelta(hours=1)}).where
    )
    assert passes(memory(ALICE).item)
    assert passes(memory(ALICE, valid_to=NOON + timedelta(minutes=1)).item)
    assert not passes(memory(ALICE, valid_to=NOON).item)
    assert not passes(memory(ALICE, valid_from=NOON + timedelta(hours=1)).item)


@rows("said, field", ROWS["bad arguments are named"])
def test_bad_arguments_are_named(said, field):
    """Before anything is asked."""
    with pytest.raises(InvalidInputError) as refused:
        read_arguments(said)
    assert refused.value.field == field


@given(st.integers(FIRST_MS, LAST_MS), st.text(min_size=1, max_size=50))
def test_a_cursor_comes_back(created, memory_id):
    """Whatever id a memory has."""
    place = ListMark(created, memory_id)
    assert read(written(place, "query"), "query") == place


@rows("cursor", ["", "no cursor", "e30", "W10", "x" * 5000, 7, "WyJxIiwieCIsInkiXQ"])
def test_what_is_no_cursor_is_refused(cursor):
    """With a word on what was expected."""
    with pytest.raises(InvalidInputError, match="cursor"):
        read(cursor, "q")


def test_newest_come_first_and_ids_decide_among_equals():
    """So every memory has one place."""
    new, old = memory(ALICE, minutes=1, id="b").item, memory(ALICE, id="a").item
    same = memory(ALICE, minutes=1, id="c").item
    assert is_after(old, place_of(new))
    assert is_after(same, place_of(new))
    assert not is_after(new, place_of(new))
    assert not is_after(new, place_of(old))


IDS = st.lists(st.text(min_size=1, max_size=40), max_size=50, unique=True)


@given(IDS, st.text(max_size=50))
def test_a_cursor_holds_what_was_shown(ids, query):
    """Of any ids and any query; the order does not matter."""
    marks = {mark_of(each) for each in ids}
    cursor = written_marks(marks, query)
    assert read_marks(cursor, query) == marks
    assert written_marks(sorted(marks, reverse=True), query) == cursor
    assert cursor.isascii()


def test_pages_end():
    """A cursor of too many results is not given; the longest fits into an address."""
    marks = [mark_of(str(number)) for number in range(MOST_SHOWN)]
    assert written_marks(marks, "q") is None
    longest = written_marks(marks[1:], "q")
    assert len(longest) < 4100
    assert len(read_marks(longest, "q")) == MOST_SHOWN - 1


def test_a_cursor_belongs_to_its_query():
    """With another query it is refused."""
    with pytest.raises(InvalidInputError, match="another query"):
        read_marks(written_marks([mark_of("1")], "one"), "two")


@given(st.text(max_size=60))
def test_any_text(cursor):
    """Nothing else is raised, whatever is sent."""
    with pytest.raises(InvalidInputError):
        read_marks(cursor, "q")


SPEAK = {"Anna": frozenset({"1", "2"}), "Viktor": frozenset({"2", "3"})}
"""Ids of memories by who they speak of."""


def ids_passing(said):
    """The ids of four memories that pass a filter."""
    passes = predicate(with_memories(parse(said), SPEAK))
    return [name for name in "1234" if passes(item("tea", id=name))]


@rows("said, found", ROWS["what passes"])
def test_what_passes(said, found):
    """A memory passes if it speaks of one of those that are asked for; two conditions are two."""
    assert ids_passing(said) == found


def test_the_names_that_are_asked_for():
    """All of them, wherever they stand in the filter; without any there is nothing to look up."""
    said = {"OR": [{"tag": "a"}, {"NOT": [{"entities": ["Anna", "x"]}]}, {"entities": "Viktor"}]}
    assert entities_in(parse(said)) == {"Anna", "x", "Viktor"}
    assert entities_in(parse({"tag": "a"})) == frozenset()
    assert entities_in(EVERYTHING) == frozenset()
    assert with_memories(parse({"entities": "x"}), {}) == NOTHING


@rows(
    "said",
    [
        {"entities": {"gt": "Anna"}},
        {"entities": {"contains": "Ann"}},
        {"entities": "*"},
        {"entities": None},
        {"entities": 7},
        {"entities": {"in": [None]}},
        {"entities": "x" * 2001},
        {"entitie": "Anna"},
    ],
)
def test_what_is_refused(said):
    """An entity is or is not spoken of: no part of a name, no order, nothing but text."""
    with pytest.raises(InvalidInputError, match="filters"):
        parse(said)


def test_a_key_of_the_metadata_of_that_name():
    """It is still reached, by its whole name."""
    passes = predicate(parse({"metadata.entities": "Anna"}))
    assert passes(item("tea", metadata={"entities": "Anna"}))


def test_unresolved_it_is_no_filter():
    """A path that forgets to look names up fails: it must not pass, or delete, everything."""
    passes = predicate(parse({"entities": {"ne": "Anna"}}))
    with pytest.raises(InvalidInputError, match="cannot ask for 'entities' here"):
        passes(item("tea"))


HELPER = Scope(tenant="t", user_id="alice", agent_id="helper")


@settings(max_examples=examples(300))
@given(filters(), items(HELPER))
def test_any_filter_means_what_the_reference_says(said, item):
    """Of any memory, in both dialects."""
    assert predicate(parse(said))(item) is holds(said, item)


async def test_a_long_test_lets_others_go_first(monkeypatch):
    """Nobody waits for more than a few of a hundred memories."""
    tested, seen = [], [0]

    async def others():
        while True:
            await asyncio.sleep(0)
            seen.append(len(tested))

    waiting = asyncio.ensure_future(others())
    moments = count()  # a millisecond for each look at the clock
    monkeypatch.setattr(evaluate, "perf_counter", lambda: next(moments) / 1000)
    await passing(range(100), lambda one: tested.append(one) or True)
    waiting.cancel()
    assert tested == list(range(100))
    assert max(later - before for before, later in pairwise([*seen, 100])) <= 5


def test_a_cursor_belongs_to_one_query():
    """Another query has another order of other memories."""
    with pytest.raises(InvalidInputError, match="another query"):
        read(written(ListMark(1, "a"), "one"), "other")
