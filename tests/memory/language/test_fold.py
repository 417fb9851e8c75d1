"""One form of writing."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language import index_terms, query_terms
from recollect.memory.language.fold import MAX_CHARS, clean, fold
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@given(st.text())
def test_folding_twice_changes_nothing(text):
    """Terms of terms are the same terms."""
    assert fold(fold(text)) == fold(text)


@given(st.text(st.characters(codec=None)))
def test_cleaning_leaves_what_can_be_encoded(text):
    """Lone surrogates are gone."""
    if not text.isascii():
        clean(text).encode()


def test_the_length_is_bounded():
    """Even where NFKC lengthens a text."""
    assert len(clean("\ufdfa" * MAX_CHARS)) <= MAX_CHARS


@rows("one, other", ROWS["two ways of writing are one"])
def test_two_ways_of_writing_are_one(one, other):
    """What a keyboard lacks keeps nobody from finding."""
    assert fold(clean(one)) == fold(clean(other))


@rows("question, document", ROWS["accents may be left out"])
def test_accents_may_be_left_out(question, document):
    """On either side, beside the stem of the word as it should be written."""
    made = index_terms(document)
    assert set(query_terms(question, {made.language})) & set(made.terms)
