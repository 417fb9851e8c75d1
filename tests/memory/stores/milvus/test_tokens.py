"""Scalars as texts that compare as the scalars do."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.stores.milvus import tokens
from tests.support.folding import rows

NUMBERS = st.one_of(
    st.integers(),
    st.integers(-(10**40), 10**40),
    st.integers(-3, 3).map(lambda n: 2**53 + n),
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-3, 3).map(lambda n: float(2**60) * (1 + n * 2**-52)),
    st.sampled_from((0, 0.0, -0.0, 1, 1.0, 0.1, 5e-324, 1e308, -1e-7, 10**23, 1e23)),
)


@given(NUMBERS, NUMBERS)
def test_numbers_are_ordered_exactly(a, b):
    """Also integers beside floats, beyond what a float can tell apart."""
    one, other = tokens.stored(a), tokens.stored(b)
    assert (one < other, one == other) == (a < b, a == b)


@given(st.text(), st.text(max_size=tokens.MOST_TEXT - 1))
def test_texts_are_ordered_by_their_characters(a, b):
    """As bytes too, which is how a server compares them."""
    wanted = tokens.asked(b)
    if wanted is not None:
        one, other = tokens.stored(a).encode("utf-8"), wanted.encode("utf-8")
        assert (one < other, one == other) == (a < b, a == b)


def test_long_texts_are_cut_where_no_question_looks():
    """One that is as long as the cut is not asked for, because several would equal it."""
    long = "x" * tokens.MOST_TEXT
    assert tokens.stored(long + "y") == tokens.stored(long + "z")
    assert tokens.asked(long) is None
    assert tokens.asked(long[1:]) < tokens.stored(long + "y")


@rows("value", [None, "a\0", float("inf"), float("nan"), 10**400])
def test_what_cannot_be_compared_so_is_not_asked(value):
    """It is left to the predicate."""
    assert tokens.asked(value) is None


def test_types_do_not_meet():
    """Nothing of one type equals, or is between, values of another."""
    kinds = [tokens.asked(True), tokens.asked(1), tokens.asked("1"), tokens.asked("")]
    assert len(set(kinds)) == len(kinds)
    for kind in (tokens.TEXT, tokens.NUMBER, tokens.BOOLEAN):
        within = [one for one in kinds if kind <= one < tokens.after(kind)]
        assert all(one.startswith(kind) for one in within)
    assert tokens.LIST != tokens.LONG_LIST
