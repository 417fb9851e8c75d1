"""Cursors of a search."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory import InvalidInputError
from recollect.memory.query.shown import MOST_SHOWN, mark_of, read, written

IDS = st.lists(st.text(min_size=1, max_size=40), max_size=50, unique=True)


@given(IDS, st.text(max_size=50))
def test_a_cursor_holds_what_was_shown(ids, query):
    """Of any ids and any query; the order does not matter."""
    marks = {mark_of(each) for each in ids}
    cursor = written(marks, query)
    assert read(cursor, query) == marks
    assert written(sorted(marks, reverse=True), query) == cursor
    assert cursor.isascii()


def test_pages_end():
    """A cursor of too many results is not given; the longest fits into an address."""
    marks = [mark_of(str(number)) for number in range(MOST_SHOWN)]
    assert written(marks, "q") is None
    longest = written(marks[1:], "q")
    assert len(longest) < 4100
    assert len(read(longest, "q")) == MOST_SHOWN - 1


def test_a_cursor_belongs_to_its_query():
    """With another query it is refused."""
    with pytest.raises(InvalidInputError, match="another query"):
        read(written([mark_of("1")], "one"), "two")


@pytest.mark.parametrize("cursor", ["", "!", "abc", 7, b"x", "A" * 100_000, "é"])
def test_what_is_no_cursor(cursor):
    """It is refused by name."""
    with pytest.raises(InvalidInputError, match=r"^cursor: "):
        read(cursor, "q")


@given(st.text(max_size=60))
def test_any_text(cursor):
    """Nothing else is raised, whatever is sent."""
    with pytest.raises(InvalidInputError):
        read(cursor, "q")
