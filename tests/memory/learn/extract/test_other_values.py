"""What stands against a value of a fact, and what does not."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.extract.other_values import other_value
from recollect.memory.model.zones import said_at
from tests.support.folding import rows
from tests.support.tables import tables

from .turns import MONDAY, said, turn

ROWS = tables(__file__)


def against(user, text):
    told = turn(user)
    return other_value(text, user, said(told), said_at(told))


@rows("user, text", ROWS["another form is no other value"])
def test_another_form_is_no_other_value(user, text):
    """Values are the same in any form, and what nobody contradicts stands."""
    assert against(user, text) == ""


@rows("user, text", ROWS["another value"])
def test_another_value(user, text):
    """A value in the place of another one, in a few words that name it."""
    assert against(user, text)


@given(st.text(), st.text(min_size=1))
def test_any_text(text, user):
    """No text breaks it, and no text stands against itself."""
    batch = said(turn(user))
    other_value(text, user, batch, MONDAY)
