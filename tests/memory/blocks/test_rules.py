"""What may stand in a block, and what an edit makes of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.blocks import rules
from recollect.memory.model.blocks import Author
from recollect.memory.model.errors import InvalidInputError
from tests.memory.blocks.blocks import block
from tests.memory.state.samples import NOON
from tests.support.folding import rows


def words(text: str) -> int:
    """Tokens, for these tests."""
    return len(text.split())


@rows("label", ["", "a b", "a/b", "\u00e9", "x" * 65, "a\n", None, 1])
def test_a_label_fits_into_a_path_and_a_prompt(label: Any) -> None:
    """Nothing in it can be markup, a line, or a part of a path."""
    with pytest.raises(InvalidInputError, match="label: "):
        rules.check_label(label)
    assert rules.check_label("to-do_2") == "to-do_2"


def test_a_value_is_text_with_plain_line_breaks() -> None:
    """An error names the argument that it came in."""
    assert rules.check_value("value", "a\r\nb\rc") == "a\nb\nc"
    for wrong in (None, 1, "\ud800", "x" * 20_000):
        with pytest.raises(InvalidInputError, match="text: "):
            rules.check_value("text", wrong)
    with pytest.raises(InvalidInputError, match="text: must not be empty"):
        rules.check_value("text", " \n", empty=False)


def test_an_appended_text_is_on_a_line_of_its_own() -> None:
    """An empty block begins with it."""
    assert rules.appended("one\n\n", "two") == "one\ntwo"
    assert rules.appended(" \n", "two") == "two"


@rows(
    "value, old, why",
    [
        ("one two", "three", "does not stand"),
        ("one one", "one", "more than once"),
        ("aaa", "aa", "more than once"),
        ("one", "", "must not be empty"),
    ],
)
def test_only_one_piece_is_replaced(value: str, old: str, why: str) -> None:
    """What stands there never or twice is refused, also if it overlaps itself."""
    with pytest.raises(InvalidInputError, match=f"old: .*{why}"):
        rules.replaced(value, old, "x")


@given(before=st.text("ab", max_size=4), after=st.text("ab", max_size=4), new=st.text(max_size=4))
def test_a_unique_piece_is_replaced_where_it_stands(before: str, after: str, new: str) -> None:
    """Everything around it stays."""
    assert rules.replaced(f"{before}X{after}", "X", new) == before + new + after


def test_a_block_over_its_limit_is_refused() -> None:
    """The error names the argument, the tokens and the limit."""
    with pytest.raises(InvalidInputError, match=r"text: .* 51 tokens, and its limit is 50"):
        rules.edited(block(), "a " * 51, field="text", author=Author.PERSON, at=NOON, count=words)
    with pytest.raises(InvalidInputError, match="limit: "):
        rules.redefined(block("a b c"), {"limit": 2}, at=NOON, count=words)
