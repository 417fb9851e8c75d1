"""Scores of search hits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.recall.rank import Ranked
from recollect.memory.recall.score import scores_of
from recollect.memory.types import Scope
from tests.memory.stores.memories import memory

ITEM = memory(Scope(tenant="t", user_id="u")).item


def hits(strengths):
    return [
        Ranked(ITEM, 0.0, 0.0, 0.0, (), relevant=True, position=0, strength=strength)
        for strength in strengths
    ]


@given(st.lists(st.floats(0, 1e6), max_size=20))
def test_scores_are_shares_that_never_rise(strengths):
    """In the order in which the hits are given."""
    found = scores_of(hits(strengths))
    assert len(found) == len(strengths)
    assert all(0 <= score <= 1 for score in found)
    assert found == sorted(found, reverse=True)


def test_scores_tell_how_sure_it_is():
    """Nothing is 0, a clear match much more than a half, twice as much evidence more."""
    assert scores_of(hits([2.0, 1.0, 0.0])) == [0.9775, 0.85, 0.0]


def test_hits_out_of_order_share_their_scores():
    """Time or neighbours put one before the other."""
    first, second, third = scores_of(hits([0.5, 1.0, 0.1]))
    assert first == second == pytest.approx((scores_of(hits([0.5]))[0] + 0.85) / 2, abs=1e-4)
    assert third < second
