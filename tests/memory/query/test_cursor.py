"""Where the next page begins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.quantities import FIRST_MS, LAST_MS
from recollect.memory.model.types import Scope
from recollect.memory.query.cursor import ListMark, is_after, place_of, read, written
from tests.memory.stores.memories import memory

ALICE = Scope(tenant="t", user_id="alice")


@given(st.integers(FIRST_MS, LAST_MS), st.text(min_size=1, max_size=50))
def test_a_cursor_comes_back(created, memory_id):
    """Whatever id a memory has."""
    place = ListMark(created, memory_id)
    assert read(written(place, "query"), "query") == place


@pytest.mark.parametrize(
    "cursor", ["", "no cursor", "e30", "W10", "x" * 5000, 7, "WyJxIiwieCIsInkiXQ"]
)
def test_what_is_no_cursor_is_refused(cursor):
    """With a word on what was expected."""
    with pytest.raises(InvalidInputError, match="cursor"):
        read(cursor, "q")


@pytest.mark.parametrize("created", [True, 1.5, None, "1", LAST_MS + 1, FIRST_MS - 1, 10**400])
def test_a_time_that_no_memory_has_is_refused(created):
    """Whoever writes a cursor himself cannot ask a store for what it does not know."""
    with pytest.raises(InvalidInputError, match="cursor"):
        read(written(ListMark(created, "a"), "q"), "q")


def test_a_cursor_belongs_to_one_query():
    """Another query has another order of other memories."""
    with pytest.raises(InvalidInputError, match="another query"):
        read(written(ListMark(1, "a"), "one"), "other")


def test_newest_come_first_and_ids_decide_among_equals():
    """So every memory has one place."""
    new, old = memory(ALICE, minutes=1, id="b").item, memory(ALICE, id="a").item
    same = memory(ALICE, minutes=1, id="c").item
    assert is_after(old, place_of(new))
    assert is_after(same, place_of(new))
    assert not is_after(new, place_of(new))
    assert not is_after(new, place_of(old))
