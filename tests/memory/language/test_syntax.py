"""How terms are written."""

from recollect.memory.language.syntax import problem_of, rows_of
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


def test_a_value_has_lines_and_comments():
    """Empty lines do not count as rows, but for their numbers."""
    assert list(rows_of("\n a, b \n\n  # not this\n-\n")) == [(1, "a, b"), (4, "-")]
    assert list(rows_of("")) == []


@rows("term", ["a", "no longer", "ab*", "*ab", "acima d*", "not .. any", "24", "don't", "子", "हाँ"])
def test_a_term(term):
    """In any script; with stars and gaps."""
    assert problem_of(term) == ""


@rows("term, wrong", ROWS["no term"])
def test_no_term(term, wrong):
    """It would match anything, or nothing."""
    assert wrong in problem_of(term)
