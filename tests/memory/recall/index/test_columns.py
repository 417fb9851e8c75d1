"""Arrays that grow, vectors in a byte a number, the inverted index, and keys."""

from __future__ import annotations

import threading
from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from recollect.memory.embedders.local.pair import ModelPair
from recollect.memory.model.types import Scope
from recollect.memory.recall.index.columns import EXACT, VectorRows
from recollect.memory.recall.index.key import IndexKey
from recollect.memory.recall.index.postings import (
    Postings,
)
from tests.support.budget import examples
from tests.support.folding import rows

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


TERMS = "abcd"
DOCUMENTS = st.lists(st.text(TERMS, max_size=6), max_size=8)
QUERIES = st.lists(st.sampled_from("abcdxy"), max_size=5, unique=True)


def posted(documents):
    postings = Postings()
    for position, text in enumerate(documents):
        counted = Counter(text)
        postings.add(position, counted.keys(), counted.values())
    return postings


def table(counted, n):
    """``[terms, n]`` of what was counted for the documents that have any of the terms."""
    every = np.zeros((len(counted.counts), n))
    every[:, counted.at] = counted.counts
    return every


def dense(found, n):
    """How often each of `n` memories has each term."""
    table = np.zeros((found.terms, n))
    np.add.at(table, (found.term, found.position), found.count)
    return table


@given(DOCUMENTS, QUERIES, st.data())
def test_matches_are_what_counting_gives(documents, query, data):
    """How often each living document holds each term, and how many hold it; the dead hold none."""
    n = len(documents)
    alive = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), np.bool_)
    found = posted(documents).find(query, alive)
    expected = [
        [text.count(term) * bool(lives) for text, lives in zip(documents, alive, strict=True)]
        for term in query
    ]
    assert dense(found, n).tolist() == expected
    assert found.frequencies().tolist() == [sum(map(bool, row)) for row in expected]
    weights = np.arange(1.0, len(query) + 1)
    held = (weights[:, None] * (np.array(expected).reshape(len(query), n) > 0)).sum(axis=0)
    np.testing.assert_allclose(found.held(weights, n), held)


def test_who_holds_a_rare_term_is_found():
    """Terms that nobody else holds, or too many, are left out; of removed memories none counts."""
    postings = Postings()
    for at, terms in enumerate((("a", "b", "c"), ("a", "b"), ("b",), ("b", "c"), ("d",))):
        postings.add(at, terms, [1] * len(terms))
    alive = np.array([True, True, True, True, True])
    assert postings.holders(["a", "b", "c", "d", "x"], alive, most=3) == {"a": [0, 1], "c": [0, 3]}
    alive[3] = False
    assert postings.holders(["a", "b", "c"], alive, most=3) == {"a": [0, 1], "b": [0, 1, 2]}


NAMES = st.sampled_from([None, "a", "b"])
SCOPES = st.tuples(st.sampled_from(["t", "u"]), NAMES, NAMES, NAMES).filter(
    lambda parts: any(parts[1:])
)


def scope(parts):
    tenant, user, agent, run = parts
    return Scope(tenant=tenant, user_id=user, agent_id=agent, run_id=run)


@given(SCOPES, SCOPES)
def test_an_index_holds_all_that_its_askers_may_see(asking, owner):
    """Whatever a scope admits is in the index that answers for it, and nothing wider is."""
    asking, owner = scope(asking), scope(owner)
    owner_ref = IndexKey.of(asking)
    if asking.admits(owner):
        assert owner_ref in IndexKey.holding(owner)
    for holder in IndexKey.holding(owner):
        assert holder.scope.admits(owner)
    assert (owner_ref in IndexKey.holding(owner)) == owner_ref.scope.admits(owner)
