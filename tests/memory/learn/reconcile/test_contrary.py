import pytest

from recollect.memory.learn.reconcile.contrary import denies, may_deny
from recollect.memory.learn.reconcile.tokens import tokens


@pytest.mark.parametrize(
    ("new", "old", "denied"),
    [
        ("User does not play the oboe", "User plays the oboe", True),
        ("User never eats fish", "User eats fish", True),
        ("User does not play the oboes", "User plays the oboe", False),
        ("User plays the oboe", "User plays the oboe", False),
        ("User plays no instrument", "User plays the oboe", False),
    ],
)
def test_one_statement_and_a_denial(new, old, denied):
    """Nothing but the denial may differ, and the form of one word."""
    assert denies(new, tokens(old)) is denied


def test_what_cannot_be_a_denial_is_not_read():
    """The cheap test says no for other lengths and other words, and never for a denial."""
    old = tokens("User plays the oboe")
    assert may_deny(tokens("User does not play the oboe"), old)
    assert not may_deny(old, old)
    assert not may_deny(tokens("User sells the old family house"), old)
