"""Of whom a text tells."""

from recollect.memory.learn.extract.fact_subject import clauses_of, is_of_others, tells_of_user
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@rows("text, users", ROWS["the user or somebody of theirs"])
def test_the_user_or_somebody_of_theirs(text, users):
    """A relation behind the user is another person."""
    assert tells_of_user(text) is users


@rows("sentence, others", ROWS["a clause tells of others"])
def test_a_clause_tells_of_others(sentence, others):
    """If the user is in it only as in "my wife"."""
    assert is_of_others(clauses_of(sentence)) is others
