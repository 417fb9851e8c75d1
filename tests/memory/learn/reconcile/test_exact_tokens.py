import itertools

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.reconcile.exact_tokens import located, tokens
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@rows("one, other", ROWS["what is the same"])
def test_what_is_the_same(one, other):
    """Case of words, blanks, width, variants of one sign and the end of a clause say nothing."""
    assert tokens(one) == tokens(other)


@rows("one, other", ROWS["what is not the same"])
def test_what_is_not_the_same(one, other):
    """Signs, numbers, units, function words, and case in paths and identifiers count."""
    assert tokens(one) != tokens(other)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_read(text):
    """In order, each token where it says it is; reading the form NFD gives no other number."""
    found = located(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))
    assert all(one.text for one in found)
