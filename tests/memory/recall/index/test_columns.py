"""Arrays that grow."""

import numpy as np
import pytest

from recollect.memory.recall.index.columns import Column


@pytest.mark.parametrize("shape", [(), (3,)], ids=["numbers", "vectors"])
def test_every_row_stays_as_it_was(shape):
    """However often it grows, the rows are those that were appended, in order and in their type."""
    column = Column(np.float32, *shape)
    assert column.values.shape == (0, *shape)
    for n in range(1000):
        column.extend([np.full(shape, n)])
        assert len(column.values) == n + 1
    assert column.values.dtype == np.float32
    assert (column.values == np.arange(1000).reshape(-1, *[1] * len(shape))).all()


def test_values_can_be_changed_in_place():
    """They are a view: what is written through them is read back, also after growth."""
    column = Column(np.bool_)
    for _ in range(16):
        column.extend([True])
    column.values[3] = False
    column.extend([True])
    assert np.flatnonzero(~column.values).tolist() == [3]


def test_room_grows_in_proportion():
    """It takes at most twice what its rows need, and is rarely moved, if rows come one by one."""
    column = Column(np.float64)
    sizes = set()
    for n in range(5000):
        column.extend([n])
        sizes.add(column.nbytes)
        assert column.nbytes <= 2 * 8 * (n + 1)
    assert len(sizes) < 50
    assert (column.values == np.arange(5000)).all()


@pytest.mark.parametrize("shape", [(), (3,)], ids=["numbers", "vectors"])
def test_many_at_once(shape):
    """They stand where they would if they had come one by one, and none is no row."""
    one_by_one, at_once = Column(np.float32, *shape), Column(np.float32, *shape)
    rows = [np.full(shape, n) for n in range(100)]
    for row in rows:
        one_by_one.extend([row])
    for start, end in ((0, 0), (0, 10), (10, 11), (11, 11), (11, 90), (90, 100)):
        at_once.extend(rows[start:end])
        assert len(at_once.values) == end
    assert (at_once.values == one_by_one.values).all()


def test_a_first_batch_takes_no_more_than_it_needs():
    """What is loaded once mostly stays as it is."""
    column = Column(np.float64)
    column.extend(range(1000))
    assert column.nbytes == 1000 * 8
