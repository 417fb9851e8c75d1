"""Products of vectors of bytes and of floats."""

from __future__ import annotations

import numpy as np
import pytest

from recollect.memory.recall.index.products import STEPS, dot, dot_floats, in_steps
from tests.support.folding import rows

DIM = 896


def drawn_bytes(n, seed=0):
    return np.random.default_rng(seed).integers(-STEPS, STEPS + 1, (n, DIM)).astype(np.int8)


def drawn_floats(n, seed=1):
    return np.random.default_rng(seed).standard_normal((n, DIM)).astype(np.float32)


@rows("n", [1, 2, 33, 1000])
def test_products_of_bytes_are_exact(n):
    """As with whole numbers of any size."""
    some, others = drawn_bytes(3), drawn_bytes(n, seed=n)
    assert (dot(some, others) == some.astype(np.int64) @ others.T.astype(np.int64)).all()


def test_the_largest_bytes_do_not_overflow():
    """The sum of the largest products of a long vector is a thousand times what two bytes hold."""
    full = np.full((1, 8192), -STEPS, np.int8)
    assert dot(full, -full).tolist() == [[-8192.0 * STEPS * STEPS]]


@pytest.mark.parametrize("dtype", [np.int8, np.float32])
@pytest.mark.parametrize(("some", "others"), [(0, 3), (2, 0), (0, 0)])
def test_of_nothing_there_are_no_products(some, others, dtype):
    """A user without memories has none, and a message may have no best hits."""
    found = dot(np.ones((some, DIM), dtype), np.ones((others, DIM), dtype))
    assert found.shape == (some, others)


@rows("queries", [1, 4])
def test_a_query_is_hardly_rounded(queries):
    """A query is off by less than a tenth of what rounding a memory to bytes is off."""
    asked, codes = drawn_floats(queries), drawn_bytes(500)
    exact = asked.astype(np.float64) @ codes.T
    scale = np.linalg.norm(asked, axis=1)[:, None] * np.linalg.norm(codes.astype(float), axis=1)
    assert np.abs((dot_floats(asked, codes) - exact) / scale).max() < 1e-5


def test_steps_give_the_numbers_back():
    """The largest number of a vector is 127 steps; of nothing, the step is zero too."""
    vectors = np.vstack([drawn_floats(3), np.zeros((1, DIM), np.float32)])
    numbers, steps = in_steps(vectors)
    assert np.abs(numbers).max(axis=1) == pytest.approx([STEPS, STEPS, STEPS, 0.0])
    assert numbers * steps == pytest.approx(vectors, abs=1e-6)
