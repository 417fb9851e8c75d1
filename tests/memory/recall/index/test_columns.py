"""Arrays that grow, and vectors in a byte a number: a quarter of their size, near enough to rank by."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from recollect.memory.embedders.local.pair import ModelPair
from recollect.memory.model.types import StoredMemory
from recollect.memory.recall.index.columns import EXACT, Column, VectorRows
from recollect.memory.recall.index.user_index import UserIndex
from tests.memory.recall.memories import stored
from tests.support.budget import examples
from tests.support.folding import rows


@rows("shape", [(), (3,)])
def test_every_row_stays_as_it_was(shape):
    """However often it grows, the rows are those that were appended, in order and in their type."""
    column = Column(np.float32, *shape)
    assert column.values.shape == (0, *shape)
    for n in range(1000):
        column.extend([np.full(shape, n)])
        assert len(column.values) == n + 1
    assert column.values.dtype == np.float32
    assert (column.values == np.arange(1000).reshape(-1, *[1] * len(shape))).all()


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


NUMBERS = ModelPair.dim


def drawn(n, dim=NUMBERS, seed=0):
    """Vectors of unit length."""
    rows = np.random.default_rng(seed).normal(size=(n, dim)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def rows_of(vectors):
    rows = VectorRows(vectors.shape[1])
    rows.extend(list(vectors))
    return rows


@rows("n", [0, 1, 291, 292, 293, 2000])
@rows("queries", [1, 3])
def test_cosines_are_those_of_the_vectors(n, queries):
    """To the nearest query, whatever number of rows is read at once."""
    vectors, asked = drawn(n), drawn(queries, seed=1)
    found = rows_of(vectors).cosines(asked)
    assert found.dtype == np.float32
    assert found.shape == (n,)
    assert np.abs(found - (vectors @ asked.T).max(axis=1)).max(initial=0) < 0.0015


@rows("dim", [1, 2, EXACT - 1])
def test_few_numbers_are_kept_as_they_are(dim):
    """An index of candidates has one number a memory, its cosine."""
    vectors = drawn(20, dim) * np.float32(0.7)
    rows = rows_of(vectors)
    assert [rows.row(at).tolist() for at in range(20)] == vectors.tolist()
    assert np.allclose(rows.cosines(vectors[:1]), vectors @ vectors[0], atol=1e-6)


@rows("dim", [2, EXACT, 384, NUMBERS])
def test_a_vector_is_like_itself(dim):
    """It keeps its length, so that the same text twice has a likeness of one."""
    vectors = drawn(20, dim)
    rows = rows_of(np.vstack([vectors, vectors]))
    for at in range(20):
        assert rows.likeness(at, 20 + at) == pytest.approx(1.0, abs=1e-5)
        assert np.linalg.norm(rows.row(at)) == pytest.approx(1.0, abs=1e-5)
        other = float(vectors[at] @ vectors[at - 1])
        assert rows.likeness(at, (at - 1) % 20) == pytest.approx(other, abs=0.02)


@settings(max_examples=examples(100))
@given(
    arrays.arrays(np.float32, (3, EXACT), elements=st.floats(-2, 2, width=32, allow_subnormal=True))
)
def test_any_numbers_give_numbers(vectors):
    """Nothing, next to nothing and a single number too; each is off by two steps at most."""
    rows = rows_of(vectors)
    for at, vector in enumerate(vectors):
        step = max(float(np.abs(vector).max()) / 127, 1e-30)
        assert np.isfinite(rows.row(at)).all()
        assert np.abs(rows.row(at) - vector).max() <= 2 * step + 1e-6
    assert np.isfinite(rows.cosines(vectors)).all()


@rows("dim", [2, NUMBERS])
def test_half_floats_are_taken_too(dim):
    """As of what was said, alone and among others."""
    vectors = drawn(20, dim)
    rows = rows_of(vectors.astype(np.float16))
    rows.extend([vectors[0], vectors[1].astype(np.float16)])
    for at in range(20):
        assert np.linalg.norm(rows.row(at)) == pytest.approx(1.0, abs=1e-3)
        assert rows.row(at) @ vectors[at] == pytest.approx(1.0, abs=1e-3)
    assert rows.likeness(0, 20) == pytest.approx(1.0, abs=1e-3)


def test_some_are_taken_over_unchanged():
    """In the order of the positions; those that are left behind stay as they were."""
    rows = rows_of(drawn(5))
    chosen = rows.only([4, 0])
    assert [chosen.row(at).tolist() for at in (0, 1)] == [rows.row(at).tolist() for at in (4, 0)]
    chosen.extend(list(drawn(1, seed=2)))
    assert (len(chosen), len(rows), len(rows.only([]))) == (3, 5, 0)


def test_the_size_that_the_index_tells_has_the_vectors_in_it():
    """Two indexes that differ in their vectors only."""
    memories = [stored(f"memory number {n}", id=str(n)).item for n in range(500)]
    few, many = (
        UserIndex.of(dim, map(StoredMemory, memories, drawn(500, dim))).nbytes
        for dim in (2, NUMBERS)
    )
    assert many - few == 500 * (NUMBERS + 4 - 3 * 4)


def test_a_reader_may_go_on_while_rows_are_added():
    """A selection compares memories after the lock of the index is given back."""
    rows = rows_of(drawn(10))
    before, stop, wrong = rows.likeness(0, 1), threading.Event(), []

    def read():
        while not stop.is_set():
            if rows.likeness(0, 1) != before:
                wrong.append(1)

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(300):
        rows.extend(list(drawn(10)))
    stop.set()
    reader.join()
    assert not wrong
