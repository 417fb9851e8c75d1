"""Texts that PostgreSQL cannot hold as they are."""

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.stores.pgvector.text import escaped, escaped_json, unescaped
from tests.support.budget import examples


@settings(max_examples=examples(50))
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_every_text_comes_back(text):
    """No NUL is sent, and nothing is lost."""
    assert "\x00" not in escaped(text)
    assert unescaped(escaped(text)) == text


def test_json_is_escaped_all_through():
    """Keys too, and in lists."""
    assert escaped_json({"a\x00": ["\x00", {"b": 1, "c": None}]}) == {
        escaped("a\x00"): [escaped("\x00"), {"b": 1, "c": None}]
    }
