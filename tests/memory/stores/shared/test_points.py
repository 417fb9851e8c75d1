"""Ranks: numbers that order as ids do. The store itself: tests of Qdrant and Chroma."""

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.stores.shared.points import rank_of
from tests.support.budget import examples

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


@settings(max_examples=examples(100))
@given(TEXTS, TEXTS)
def test_ranks_order_as_ids_do(one, other):
    """A smaller id never has a larger rank, and every rank is exact as a float."""
    assert (rank_of(one) <= rank_of(other)) or one > other
    assert int(float(rank_of(one))) == rank_of(one) < 2**48
