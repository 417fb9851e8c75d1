"""Texts, lists and names as each database takes them."""

from __future__ import annotations

from itertools import pairwise

import hypothesis.strategies as st
from hypothesis import given

from recollect.memory.database.graph.merge_roots import roots
from recollect.memory.database.graph.rows import (
    after_all,
)
from recollect.memory.database.scripts import (
    Escaped,
    bindable,
    escaped,
    for_postgres,
    for_sqlite,
    plain,
    plain_row,
)
from tests.support.folding import rows


@given(st.text())
def test_any_text_comes_back(text):
    """Also with NUL and with the sign that stands for it; never longer than twice."""
    kept = escaped(text)
    assert "\x00" not in kept
    assert len(kept) <= 2 * len(text)
    assert plain(kept) == text
    assert plain_row((str(kept), 1, None)) == (text, 1, None)


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


@rows(
    "sql, sqlite, postgres",
    [
        (
            "DELETE FROM t WHERE a = :a AND id IN :ids[] AND b = :a",
            (
                "DELETE FROM t WHERE a = :a AND id IN (SELECT value FROM json_each(:ids)) AND b = :a",
                ("ids",),
            ),
            ("DELETE FROM t WHERE a = $1 AND id = ANY($2::text[]) AND b = $1", ("a", "ids")),
        ),
        (
            "INSERT INTO t SELECT :a, value FROM :ids[]",
            ("INSERT INTO t SELECT :a, value FROM json_each(:ids)", ("ids",)),
            ("INSERT INTO t SELECT $1, value FROM unnest($2::text[]) AS value", ("a", "ids")),
        ),
    ],
)
def test_one_text_for_each_database(sql, sqlite, postgres):
    """Values by name or by number; a list as JSON or as an array."""
    assert (for_sqlite(sql), for_postgres(sql)) == (sqlite, postgres)


def test_a_long_chain_is_no_deep_one():
    """A thousand merges in a row have one root."""
    names = [f"{number:04}" for number in range(1_000)]
    created = dict.fromkeys(names, 0)
    assert set(roots(created, pairwise(names)).values()) == {"0000"}


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), st.text(max_size=4))
def test_what_is_greater_than_all_that_begin_so(prefix, rest):
    """In the order of UTF-8, in which databases compare."""
    rest = rest.encode("utf-8", "replace").decode()
    following = after_all(prefix)
    if following is None:
        assert set(prefix) <= {"\U0010ffff"}
        return
    assert prefix.encode() <= (prefix + rest).encode() < following.encode()
    assert not following.startswith(prefix) or not prefix
