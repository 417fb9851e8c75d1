"""Where the next page of a listing or a search begins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.quantities import FIRST_MS, LAST_MS
from recollect.memory.model.types import Scope
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
from tests.support.folding import rows

from ..stores.memories import memory

ALICE = Scope(tenant="t", user_id="alice")


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


@rows("created", [True, 1.5, None, "1", LAST_MS + 1, FIRST_MS - 1, 10**400])
def test_a_time_that_no_memory_has_is_refused(created):
    """Whoever writes a cursor himself cannot ask a store for what it does not know."""
    with pytest.raises(InvalidInputError, match="cursor"):
        read(written(ListMark(created, "a"), "q"), "q")


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


@rows("cursor", ["", "!", "abc", 7, b"x", "A" * 100_000, "é"])
def test_what_is_no_cursor(cursor):
    """It is refused by name."""
    with pytest.raises(InvalidInputError, match=r"^cursor: "):
        read_marks(cursor, "q")


@given(st.text(max_size=60))
def test_any_text(cursor):
    """Nothing else is raised, whatever is sent."""
    with pytest.raises(InvalidInputError):
        read_marks(cursor, "q")
