"""Statements are written once: texts, lists and names as each database takes them."""

from dataclasses import fields

import hypothesis.strategies as st
from hypothesis import given

from recollect.memory.model.types import HistoryRecord
from recollect.memory.state.rows import COLUMNS
from recollect.memory.state.scripts import (
    Escaped,
    bindable,
    escaped,
    plain,
    plain_row,
)


@given(st.text())
def test_any_text_comes_back(text):
    """Also with NUL and with the sign that stands for it; never longer than twice."""
    kept = escaped(text)
    assert "\x00" not in kept
    assert len(kept) <= 2 * len(text)
    assert plain(kept) == text
    assert plain_row([kept, 1, None]) == (text, 1, None)


@given(st.text(), st.text())
def test_a_beginning_stays_one(start, rest):
    """What begins with a text begins with it when both are escaped."""
    assert escaped(start + rest).startswith(escaped(start))


def test_half_a_character_becomes_a_question_mark():
    """No database has a place for it."""
    assert escaped("a\ud800b") == "a?b"


def test_values_are_bound_escaped_once():
    """Texts and lists of them; numbers and nothing as they are; what is escaped already too."""
    bound = bindable({"a": "\x00", "b": ["\x00", "x"], "c": 1, "d": None, "e": escaped("\x00")})
    assert bound == {"a": "\x1b0", "b": ["\x1b0", "x"], "c": 1, "d": None, "e": "\x1b0"}
    assert type(bound["e"]) is str
    assert isinstance(escaped("x"), Escaped)


def test_every_field_of_the_history_has_its_column():
    """A field that is added to the type is missed here, and not in somebody's history."""
    names = {field.name for field in fields(HistoryRecord)}
    in_one = {"reasons", "taken_from", "withheld"}
    assert names <= {"scope", *COLUMNS.split(", "), *in_one}
