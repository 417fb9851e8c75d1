"""Products of vectors of bytes and of floats."""

from __future__ import annotations

import numpy as np

from recollect.memory.recall.index.products import STEPS, dot
from tests.support.folding import rows

DIM = 896


def drawn_bytes(n, seed=0):
    return np.random.default_rng(seed).integers(-STEPS, STEPS + 1, (n, DIM)).astype(np.int8)


@rows("n", [1, 2, 33, 1000])
def test_products_of_bytes_are_exact(n):
    """As with whole numbers of any size."""
    some, others = drawn_bytes(3), drawn_bytes(n, seed=n)
    assert (dot(some, others) == some.astype(np.int64) @ others.T.astype(np.int64)).all()


def test_the_largest_bytes_do_not_overflow():
    """The sum of the largest products of a long vector is a thousand times what two bytes hold."""
    full = np.full((1, 8192), -STEPS, np.int8)
    assert dot(full, -full).tolist() == [[-8192.0 * STEPS * STEPS]]
