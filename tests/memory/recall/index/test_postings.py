"""The inverted index: positions and frequencies by term, with neighbours and sessions. Pure."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.recall.index.postings import (
    NEIGHBOURS,
    NONE,
    SAME_SESSION_SECONDS,
    Links,
    Postings,
)

ROWS = st.lists(
    st.tuples(
        st.integers(0, 2),  # owner
        st.integers(NONE, 1),  # conversation
        st.sampled_from([0.0, 60.0, 1800.0, 1860.0, 3700.0, 9000.0]),  # moment
        st.integers(0, 2),  # sequence
    ),
    max_size=14,
)


def links_of(rows):
    columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], [], []]
    owner, conversation, moment, sequence = columns
    return Links.of(
        np.array(owner, np.int64),
        np.array(conversation, np.int64),
        np.array(moment, np.float64),
        np.array(sequence, np.int64),
    )


def chains(rows):
    """The sessions, as lists of positions in order: the definition, without any cleverness."""
    groups = {}
    for at, (owner, conversation, moment, sequence) in enumerate(rows):
        groups.setdefault((owner, conversation), []).append((moment, sequence, at))
    found = []
    for (_, conversation), members in groups.items():
        members.sort()
        chain = []
        for moment, sequence, at in members:
            silent = chain and conversation == NONE and moment - chain[-1][0] > SAME_SESSION_SECONDS
            if silent:
                found.append(chain)
                chain = []
            chain.append((moment, sequence, at))
        found.append(chain)
    return [[at for _, _, at in chain] for chain in found]


@given(ROWS)
def test_it_is_what_the_definition_says(rows):
    """Neighbours at each distance and sessions, against lists that are sorted and cut by hand."""
    links = links_of(rows)
    expected = chains(rows)
    assert links.sessions == len(expected)
    for chain in expected:
        assert len({int(links.session[at]) for at in chain}) == 1
        for place, at in enumerate(chain):
            for distance in (1, -1, 2, -2):
                there = 0 <= place + distance < len(chain)
                other = chain[place + distance] if there else NONE
                assert links.at(distance)[at] == other
    numbers = {int(links.session[chain[0]]) for chain in expected}
    assert numbers == set(range(len(expected)))


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
    np.testing.assert_allclose(table(found.spread(links, n, strength), n), expected)
    sums = np.zeros((len(query), links.sessions))
    for at in range(n):
        sums[:, links.session[at]] += plain[:, at]
    np.testing.assert_allclose(table(found.by_session(links), links.sessions), sums)


def test_what_was_found_stays():
    """Looking keeps no hold of the arrays, which must be able to grow, and growing changes nothing."""
    postings = posted(["a"])
    found = postings.find(["a"], np.ones(1, np.bool_))
    for position in range(1, 1000):
        postings.add(position, ["a"], [2])
    assert dense(found, 1).tolist() == [[1]]
    assert dense(postings.find(["a"], np.ones(1000, np.bool_)), 1000).sum() == 1 + 999 * 2


def test_who_holds_a_rare_term_is_found():
    """Terms that nobody else holds, or too many, are left out; of removed memories none counts."""
    postings = Postings()
    for at, terms in enumerate((("a", "b", "c"), ("a", "b"), ("b",), ("b", "c"), ("d",))):
        postings.add(at, terms, [1] * len(terms))
    alive = np.array([True, True, True, True, True])
    assert postings.holders(["a", "b", "c", "d", "x"], alive, most=3) == {"a": [0, 1], "c": [0, 3]}
    alive[3] = False
    assert postings.holders(["a", "b", "c"], alive, most=3) == {"a": [0, 1], "b": [0, 1, 2]}
