"""The inverted index."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.recall.index.links import NONE, Links
from recollect.memory.recall.index.postings import NEIGHBOURS, Postings

TERMS = "abcd"
DOCUMENTS = st.lists(st.text(TERMS, max_size=6), max_size=8)
QUERIES = st.lists(st.sampled_from("abcdxy"), max_size=5, unique=True)


def posted(documents):
    postings = Postings()
    for position, text in enumerate(documents):
        counted = Counter(text)
        postings.add(position, counted.keys(), counted.values())
    return postings


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


@given(DOCUMENTS, QUERIES, st.sampled_from([0.0, 0.5, 1.0]), st.integers(1, 8))
def test_words_of_neighbours_count_for_less(documents, query, strength, session):
    """Each word is also given to those two places around, weighted; sessions are summed."""
    n = len(documents)
    links = Links.of(
        np.zeros(n, np.int64),
        np.arange(n) // session,
        np.arange(n, dtype=np.float64),
        np.zeros(n, np.int64),
    )
    found = posted(documents).find(query, np.ones(n, np.bool_))
    counted = [[text.count(term) for text in documents] for term in query]
    plain = np.array(counted, np.float64).reshape(len(query), n)
    expected = plain.copy()
    for distance, weight in NEIGHBOURS:
        for at in range(n):
            if (other := links.at(distance)[at]) != NONE:
                expected[:, other] += strength * weight * plain[:, at]
    np.testing.assert_allclose(found.spread(links, n, strength), expected)
    sums = np.zeros((len(query), links.sessions))
    for at in range(n):
        sums[:, links.session[at]] += plain[:, at]
    np.testing.assert_allclose(found.by_session(links), sums)


def test_what_was_found_stays():
    """Looking keeps no hold of the arrays, which must be able to grow, and growing changes nothing."""
    postings = posted(["a"])
    found = postings.find(["a"], np.ones(1, np.bool_))
    for position in range(1, 1000):
        postings.add(position, ["a"], [2])
    assert dense(found, 1).tolist() == [[1]]
    assert dense(postings.find(["a"], np.ones(1000, np.bool_)), 1000).sum() == 1 + 999 * 2


def test_it_knows_what_it_takes():
    """More for a new term than for another place of a known one."""
    postings = Postings()
    assert postings.nbytes == 0
    postings.add(0, ["a"], [1])
    first = postings.nbytes
    postings.add(1, ["a"], [1])
    assert first < postings.nbytes < 2 * first
