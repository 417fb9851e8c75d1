"""How terms are written."""

from recollect.memory.language.syntax import problem_of, rows_of, terms_in
from tests.support.folding import rows


def test_a_value_has_lines_and_comments():
    """Empty lines do not count as rows, but for their numbers."""
    assert list(rows_of("\n a, b \n\n  # not this\n-\n")) == [(1, "a, b"), (4, "-")]
    assert list(rows_of("")) == []


def test_a_line_has_terms():
    """Between commas; blanks around and inside do not count."""
    assert list(terms_in("a,  b  c ,, d")) == ["a", "b c", "d"]


@rows("term", ["a", "no longer", "ab*", "*ab", "acima d*", "not .. any", "24", "don't", "子", "हाँ"])
def test_a_term(term):
    """In any script; with stars and gaps."""
    assert problem_of(term) == ""


@rows(
    "term, wrong",
    [
        ("*", "would be any word"),
        ("a *", "would be any word"),
        ("**", "would be any word"),
        ("wo*rd", "at the beginning or at the end"),
        ("*word*", "at the beginning or at the end"),
        ("word**", "at the beginning or at the end"),
        ("a*", "needs 2 letters"),
        ("*é", "needs 2 letters"),
        (".. a", "between two words"),
        ("a ..", "between two words"),
        ("..", "between two words"),
        ("a .. .. b", "between two words"),
    ],
)
def test_no_term(term, wrong):
    """It would match anything, or nothing."""
    assert wrong in problem_of(term)
