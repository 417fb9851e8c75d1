"""Groups by the mean of their cosines."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.graph.topics import linkage
from recollect.memory.graph.topics.linkage import groups, linked


def by_hand(vectors, least):
    """The definition, without chains: the nearest two groups become one, again and again."""
    near = vectors @ vectors.T
    found = [[at] for at in range(len(vectors))]
    while len(found) > 1:
        score, one, other = max(
            (near[np.ix_(a, b)].mean(), i, j)
            for (i, a), (j, b) in combinations(enumerate(found), 2)
        )
        if score < least:
            break
        found[one] += found.pop(other)
    return {frozenset(each) for each in found}


@given(st.integers(1, 24), st.integers(0, 10_000), st.floats(-0.2, 0.9))
def test_groups_are_those_of_the_definition(count, seed, least):
    """Whatever order the chains take."""
    vectors = np.random.default_rng(seed).normal(size=(count, 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    first = linked(vectors, least)
    made = {frozenset(np.flatnonzero(first == one).tolist()) for one in set(first.tolist())}
    assert made == by_hand(vectors.astype(np.float64), least)


def test_more_than_are_compared_at_once_join_the_groups_that_are_there(monkeypatch):
    """Or make new ones; vectors without a direction are alone."""
    chance = np.random.default_rng(3)
    around = np.eye(8, dtype=np.float32)[chance.integers(0, 5, 60)]
    vectors = around + chance.normal(size=(60, 8)).astype(np.float32) / 20
    vectors[[7, 50]] = 0.0
    at_once = groups(vectors, 0.5).tolist()
    monkeypatch.setattr(linkage, "AT_ONCE", 9)
    assert groups(vectors, 0.5).tolist() == at_once
    assert (at_once.count(7), at_once.count(50), len(set(at_once))) == (1, 1, 7)
    assert groups(vectors[:0], 0.5).tolist() == []
