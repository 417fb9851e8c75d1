"""Which texts say the same in nearly the same words, and which do not."""

from recollect.memory.upkeep.consolidate.sameness import is_same, wording_of
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


def same(one, other):
    return is_same(wording_of(one), wording_of(other))


@rows("one, other", ROWS["what differs in nothing that is said"])
def test_what_differs_in_nothing_that_is_said(one, other):
    """Case, signs, articles, digits, the speaker and the place of a clause say nothing."""
    assert same(one, other)
    assert same(other, one)
    assert wording_of(one).key == wording_of(other).key


@rows("one, other", ROWS["what differs in one word or in its order"])
def test_what_differs_in_one_word_or_in_its_order(one, other):
    """Small words, forms, names, numbers, codes and orders make another statement."""
    assert not same(one, other)
