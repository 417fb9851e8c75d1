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
    assert linkage._by_bound(vectors)(least).tolist() == first.tolist()


def of_one_theme(subjects, each, noise=0.05):
    """Vectors that share a direction, and those of one subject another one too."""
    chance = np.random.default_rng(subjects * 100 + each)
    rows = [np.eye(16)[0] + 0.8 * np.eye(16)[1 + at % subjects] for at in range(subjects * each)]
    return (np.array(rows) + chance.normal(size=(len(rows), 16)) * noise).astype(np.float32)


@given(st.integers(2, 6), st.integers(2, 9), st.integers(2, 30))
def test_a_group_that_is_too_large_is_split_into_groups_and_never_into_ones(subjects, each, most):
    """Along what its members are about; whoever was in a group of others still is in one."""
    rows = of_one_theme(subjects, each)
    whole, parts = groups(rows, 0.0), groups(rows, 0.0, most)
    assert len(set(whole.tolist())) == 1
    _, sizes = np.unique(parts, return_counts=True)
    assert sizes.min() > 1
    assert sizes.max() <= max(most, each)
    if len(rows) <= most:
        assert len(sizes) == 1
    assert all(parts[first] == first for first in parts.tolist())


def test_a_group_of_what_is_all_alike_stays_whole():
    """However large: nothing tells where to split it. An outlier does not split off alone."""
    alike = np.tile(np.eye(4, dtype=np.float32)[0], (30, 1))
    assert set(groups(alike, 0.3, 20).tolist()) == {0}
    alike[29] = (0.8, 0.6, 0, 0)
    assert set(groups(alike, 0.3, 20).tolist()) == {0}


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
