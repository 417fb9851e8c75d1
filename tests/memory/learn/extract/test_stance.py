"""Whether what a fact was read from asserts it."""

from recollect.memory.learn.extract.fact_passage import Known, passage_of
from recollect.memory.learn.extract.stance import is_denied, is_unsure
from tests.support.folding import rows
from tests.support.tables import tables

from .turns import fact, said, turn

ROWS = tables(__file__)


def read(user, text, quote):
    one = fact(text, quote)
    return one, passage_of(one, said(turn(user)), Known([]))


@rows("user, text, quote", ROWS["asked or denied"])
def test_asked_or_denied(user, text, quote):
    """A question tells nothing, and a denial the contrary, also if the quote leaves it out."""
    assert is_denied(*read(user, text, quote))


@rows("user, text, quote", ROWS["neither asked nor denied"])
def test_neither_asked_nor_denied(user, text, quote):
    """What a question presupposes, and what a denial says in other words, stands."""
    one, passage = read(user, text, quote)
    assert (is_denied(one, passage), is_unsure(one, passage)) == ("", "")


@rows("user, text, quote", ROWS["unsure"])
def test_unsure(user, text, quote):
    """What is supposed or supplied is left to a model that can read."""
    one, passage = read(user, text, quote)
    assert is_unsure(one, passage)
    assert not is_denied(one, passage)


@rows("user, text, quote", ROWS["sure"])
def test_sure(user, text, quote):
    """A fact that says so itself, or a clause of the user's own, is not doubted."""
    assert is_unsure(*read(user, text, quote)) == ""
