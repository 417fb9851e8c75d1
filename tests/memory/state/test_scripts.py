"""Statements are written once: texts, lists and names as each database takes them."""

import hypothesis.strategies as st
from hypothesis import given

from recollect.memory.state.scripts import (
    Escaped,
    bindable,
    escaped,
    for_postgres,
    for_sqlite,
    plain,
    plain_row,
)

SQL = "SELECT a FROM t WHERE b = :b AND a IN :ids[] AND c > :b AND NOT (a IN :ids[])"


def test_a_list_is_one_value_in_sqlite():
    """Names stay as they are."""
    assert for_sqlite(SQL) == (
        "SELECT a FROM t WHERE b = :b AND a IN (SELECT value FROM json_each(:ids)) AND c > :b "
        "AND NOT (a IN (SELECT value FROM json_each(:ids)))"
    )


def test_names_become_numbers_in_postgres():
    """A name that comes twice is one value; a list is an array of texts."""
    sql, names = for_postgres(SQL)
    assert names == ("b", "ids")
    assert sql == (
        "SELECT a FROM t WHERE b = $1 AND a = ANY($2::text[]) AND c > $1 "
        "AND NOT (a = ANY($2::text[]))"
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
