"""Vectors as points of a plane."""

import numpy as np

from recollect.memory.api.projection import projected
from tests.support.folding import rows


def clouds(count=40, dim=32):
    """Two groups of vectors, far from each other."""
    noise = np.random.default_rng(1).standard_normal((2 * count, dim)).astype(np.float32) * 0.05
    noise[:count, 3] += 1.0
    noise[count:, 5] += 1.0
    return noise


def test_what_is_alike_is_near():
    """Two groups stand on two sides, and the first axis shows most of the difference."""
    found = projected(clouds())
    assert found.points.shape == (80, 2)
    left, right = found.points[:40, 0], found.points[40:, 0]
    assert (left < 0).all() != (right < 0).all()
    assert found.shares[0] > 0.7 > found.shares[1]
    assert np.abs(found.points).max() == 1


def test_the_same_vectors_give_the_same_points():
    """Also the signs, which the mathematics leaves open."""
    assert (projected(clouds()).points == projected(clouds()).points).all()


@rows("shape", [(0, 8), (1, 8), (5, 8), (3, 1), (2, 8)])
def test_few_or_equal_vectors_have_points_too(shape):
    """None, one, all the same, or of one number: every vector has a place, and none is no number."""
    for vectors in (np.ones(shape, np.float32), np.eye(*shape, dtype=np.float32)):
        found = projected(vectors)
        assert found.points.shape == (shape[0], 2)
        assert np.isfinite(found.points).all()
        assert all(0 <= share <= 1 for share in found.shares)
