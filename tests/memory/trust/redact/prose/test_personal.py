"""Numbers of documents."""

from recollect.memory.trust.redact.formats.view import view
from recollect.memory.trust.redact.prose.personal import find_documents
from recollect.memory.trust.redact.prose.terms import prose_of
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


def found(text):
    """The numbers in a text, in order."""
    return [text[one.start : one.end] for one in find_documents(prose_of(view(text)))]


@rows("text, number", ROWS["the number is taken and nothing else"])
def test_the_number_is_taken_and_nothing_else(text, number):
    """Neither the words before it nor a date beside it."""
    assert found(text) == [number]


def test_a_number_is_never_cut():
    """Whatever its distance from the name is: all of it goes, or nothing."""
    for gap in range(60):
        text = f"passport {'x' * gap} 533401987"
        assert found(text) in ([], ["533401987"])


@rows("text", ROWS["dates and other numbers stay"])
def test_dates_and_other_numbers_stay(text):
    """When a document ends is a fact about the user; amounts and orders are no part of it."""
    assert found(text) == []
