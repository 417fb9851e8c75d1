"""What scripts of the graph decide without a database; the rest is in the contract."""

from itertools import pairwise

import hypothesis.strategies as st
import pytest
from hypothesis import given

from recollect.memory.state.graph.merging import roots
from recollect.memory.state.graph.rows import (
    after_all,
)


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


@pytest.mark.parametrize(
    ("prefix", "following"),
    [("a", "b"), ("a\U0010ffff", "b"), ("\ud7ff", "\ue000"), ("\U0010ffff", None), ("", None)],
)
def test_the_ends_of_the_alphabet(prefix, following):
    """The last character, and those that no text has."""
    assert after_all(prefix) == following
