"""Vectors in whole numbers."""

import numpy as np

from recollect.memory.graph.topics.integer_vectors import MOST_SUMMED, whole


def test_sums_and_products_are_exact_in_any_order():
    """However many rows are multiplied at once, and whatever is added first."""
    rows = whole(np.random.default_rng(1).normal(size=(MOST_SUMMED, 896)).astype(np.float32))
    total = rows.sum(axis=0)
    assert np.array_equal(total, rows[::-1].cumsum(axis=0)[-1])
    at_once = rows @ total
    assert [float(row @ total) for row in rows] == at_once.tolist()
    exact = rows.astype(np.int64) @ total.astype(np.int64)
    assert np.array_equal(at_once.astype(np.int64), exact)


def test_the_longest_sum_is_within_what_single_precision_counts():
    """So many times the same vector."""
    row = whole(np.ones((1, 896), np.float32))
    total = row.sum(axis=0) * MOST_SUMMED
    assert float((row @ total)[0]) < 2**24
