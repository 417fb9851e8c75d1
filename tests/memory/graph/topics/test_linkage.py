"""Groups by the mean of their cosines."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.graph.topics.linkage import groups


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
    first = groups(vectors, least)
    made = {frozenset(np.flatnonzero(first == one).tolist()) for one in set(first.tolist())}
    assert made == by_hand(vectors.astype(np.float64), least)
