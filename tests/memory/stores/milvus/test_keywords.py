"""Index terms become tokens that Milvus' analyzers leave alone."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from milvus_lite.analyzer.standard import StandardAnalyzer

from recollect.memory.stores.milvus.dialect import dialect_of
from recollect.memory.stores.milvus.keywords import document, encoded, query, relevance

TERMS = st.text(min_size=1, max_size=12)


@given(TERMS)
def test_a_term_is_one_token(term):
    """Milvus Lite's analyzer, and any that knows ASCII, reads back one unchanged token."""
    token = encoded(term)
    assert StandardAnalyzer().tokenize(token) == [token]
    assert re.fullmatch("[a-z0-9]+", token)
    if re.fullmatch("[a-wyz0-9]+", term) and re.search("[a-z]", term):
        assert token == term  # most terms stay readable


@given(TERMS, TERMS)
def test_different_terms_are_different_tokens(one, other):
    """Nothing is found by another term, however alike they look."""
    assert (encoded(one) == encoded(other)) == (one == other)


def test_terms_that_do_not_fit_are_left_out():
    """Whole terms from the beginning, as many as the column holds."""
    terms = [f"term{n}" for n in range(20_000)]
    kept = document(terms).split()
    assert kept == terms[: len(kept)]
    assert 65_535 - 10 < len(document(terms)) <= 65_535
    assert document(["x" * 70_000]) == ""
    assert document([]) == ""


def test_query_is_bounded():
    """Each term once, and no more than a search should take."""
    assert query(["b", "a", "b"]) == "b a"
    assert len(query(map(str, range(10_000))).split()) == 256


def test_larger_is_better():
    """Milvus Lite tells BM25 with a minus, a server does not."""
    assert relevance(dialect_of("milvus_lite-3.2.2"), -2.5) == 2.5
    assert relevance(dialect_of("v2.5.4"), 2.5) == 2.5
