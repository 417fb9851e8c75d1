import pytest

from recollect.memory.learn.reconcile.denied import denied_in
from recollect.memory.learn.reconcile.tokens import tokens


@pytest.mark.parametrize(
    ("text", "value", "rest"),
    [
        ("It is on Friday, not Tuesday", ["tuesday"], "it is on friday"),
        ("It is not on Tuesday but on Friday", ["tuesday"], "it is on friday"),
        ("Er kommt am Freitag, nicht am Dienstag", ["dienstag"], "er kommt am freitag"),
        (
            "\u6c34\u66dc\u3067\u306f\u306a\u304f\u6728\u66dc\u3067\u3059",
            ["\u6c34", "\u66dc"],
            "\u6728\u66dc\u3067\u3059",
        ),
    ],
)
def test_what_is_said_to_be_wrong(text, value, rest):
    """The value, and the statement without the words that deny it."""
    [denied] = denied_in(text)
    assert (list(denied.value), denied.rest) == (value, tokens(rest))


@pytest.mark.parametrize("text", ["User does not drink coffee", "User likes tea", "not", ""])
def test_a_whole_statement_is_no_value(text):
    """A bare negation denies all of it, which is another matter."""
    assert not [one for one in denied_in(text) if one.value and one.rest]


def test_something_else_must_stand_in_its_place():
    """At most a word longer: more of them tell something else."""
    [denied] = denied_in("User drinks tea, not coffee")
    assert denied.corrects(tokens("User drinks coffee"))
    assert not denied.corrects(tokens("User likes coffee"))
    [long] = denied_in("User drinks tea on most Mondays, not coffee")
    assert not long.corrects(tokens("User drinks coffee"))
