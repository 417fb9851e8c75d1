"""What signals are made of: whom a query is about, BM25, similarity of meaning."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from recollect.memory.calibration import Calibration
from recollect.memory.language import language_of
from recollect.memory.recall import signals as asking
from recollect.memory.recall.signals import (
    K1,
    PRIOR_DOCUMENTS,
    TELLING,
    B,
    bm25,
    idf,
    meaning,
    telling,
)
from tests.support.folding import rows
from tests.support.tables import tables

from .memories import angle, index_of, stored

ROWS = tables(__file__)


def speaks_of_user(query):
    return asking.speaks_of_user(query, language_of(query))


@rows("query", ROWS["the user is spoken of"])
def test_the_user_is_spoken_of(query):
    """By a pronoun of the first person of the query's own language."""
    assert speaks_of_user(query)


@rows("query", ROWS["the world is spoken of"])
def test_the_world_is_spoken_of(query):
    """A word that is a pronoun elsewhere, or a name here, says nothing about the user."""
    assert not speaks_of_user(query)


def test_a_language_without_words_may_speak_of_the_user():
    """Nobody can tell, and the user's memories are asked rather than not."""
    assert speaks_of_user("რა ჰქვია ჩემს ძაღლს?")


def reference(counts, lengths, weights):
    """The formula of the paper, document by document and term by term."""
    average = sum(lengths) / len(lengths)
    scores = []
    for document, length in enumerate(lengths):
        score = 0.0
        for term, weight in enumerate(weights):
            count = counts[term][document]
            norm = K1 * (1 - B + B * length / average)
            score += weight * count * (K1 + 1) / (count + norm)
        scores.append(score)
    return scores


@st.composite
def tables(draw):
    terms, documents = draw(st.integers(1, 5)), draw(st.integers(1, 8))
    counts = draw(arrays(np.float64, (terms, documents), elements=st.integers(0, 9).map(float)))
    rest = draw(arrays(np.float64, documents, elements=st.integers(1, 50).map(float)))
    weights = draw(arrays(np.float64, terms, elements=st.floats(0.01, 5)))
    return counts, counts.sum(axis=0) + rest, weights


@given(tables())
def test_it_is_the_textbooks(table):
    """The order and the relations of the formula, as a share of what a perfect match has."""
    counts, lengths, weights = table
    best = weights.sum() * (K1 + 1)
    expected = [min(score / best, 1.0) for score in reference(counts, lengths, weights)]
    assert bm25(counts, lengths, weights) == pytest.approx(expected)


@rows("terms, documents", [(0, 0), (0, 3), (2, 0)])
def test_nothing_to_score(terms, documents):
    """No terms or no documents: nothing speaks for anything, and nothing is divided by zero."""
    scores = bm25(np.zeros((terms, documents)), np.ones(documents), np.ones(terms))
    assert scores.tolist() == [0.0] * documents


def test_long_is_what_is_longer_than_the_average():
    """Of a collection of longer documents the same one is short, and its words count for more."""
    one = (np.ones((1, 1)), np.array([10.0]), np.ones(1))
    scores = [float(bm25(*one, average=average)[0]) for average in (5.0, 10.0, 20.0)]
    assert scores == sorted(set(scores))
    assert bm25(*one)[0] == scores[1]


def test_rare_terms_tell_more():
    """The textbook's idf with the assumed documents added; never negative, even for every one."""
    total = 4 + PRIOR_DOCUMENTS
    expected = [math.log(1 + (total - f + 0.5) / (f + 0.5)) for f in (0, 1, 4)]
    assert idf(np.array([0, 1, 4]), 4) == pytest.approx(expected)
    assert (np.diff(idf(np.arange(1000), 999)) < 0).all()
    assert (idf(np.array([10**6]), 10**6) > 0).all()


def test_a_long_query_is_about_a_few_of_its_words():
    """The most telling ones are the measure: more words take nothing from a match."""
    weights = np.arange(1.0, 21.0)
    assert telling(weights) == sum(range(21 - TELLING, 21))
    assert telling(weights[:3]) == 6
    assert telling(np.empty(0)) == 0


CALIBRATION = Calibration(
    recall=0.2, update=1.1, same=1.1, floor=0.3, ceiling=0.7, elsewhere=0.0,
    languages={"en": 1.0, "de": 0.5},
)  # fmt: skip
IN_ENGLISH = stored("The user has a dog and it is called Rex", degrees=60)
IN_GERMAN = stored("Der Hund des Benutzers heißt Rex und ist schon alt", degrees=60)
IN_CHINESE = stored("用户的狗叫雷克斯", degrees=0)
SHORT = stored("Rex Labrador", degrees=60)


def found(language, *memories, calibration=CALIBRATION):
    return meaning(index_of(*memories), angle(0)[None], language, calibration)


def test_a_cosine_is_worth_what_its_language_is():
    """The same cosine is less in one language, and nothing in an unknown one."""
    near = found("en", IN_ENGLISH, IN_GERMAN, IN_CHINESE)
    assert near.cosine == pytest.approx([0.5, 0.5, 1.0], abs=1e-6)
    assert near.near == pytest.approx([9 / 14, 9 / 28, 0.0], abs=1e-6)
    assert near.worth.tolist() == [1.0, 0.5, 0.0]


def test_the_query_has_a_language_too():
    """Of the two, the one that the embedder knows less decides."""
    assert found("de", IN_ENGLISH).worth.tolist() == [0.5]
    assert found("zh", IN_ENGLISH, IN_GERMAN).worth.tolist() == [0.0, 0.0]


def test_a_text_too_short_to_tell_is_in_the_users_language():
    """The words "Rex Labrador" are of no language, but the other memories are English."""
    assert found("und", SHORT, IN_ENGLISH).worth.tolist() == [1.0, 1.0]
    assert found("de", SHORT).worth.tolist() == [0.5]
    assert found("und", SHORT).worth.tolist() == [1.0]
