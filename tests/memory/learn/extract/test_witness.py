"""Whose words a model's sentence is in: the user's, or its own."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.extract.transcript import units_of
from recollect.memory.learn.extract.turn_texts import TurnTexts
from recollect.memory.learn.extract.witness import ALL, MOST, Witness
from tests.support.folding import rows
from tests.support.tables import tables

from .turns import turn

ROWS = tables(__file__)

AT = datetime(2026, 3, 2, 12, tzinfo=UTC)


def witness(said, adds=ALL):
    return Witness(TurnTexts.of([said], AT), at=AT, adds=adds)


@rows("said, text", ROWS["what the user said in other words"])
def test_what_the_user_said_in_other_words(said, text):
    """Other words for the same are no invention, in any language."""
    assert witness(said).against(text) == ""


@rows("said, text", ROWS["what nobody said"])
def test_what_nobody_said(said, text):
    """A name, a holder, a wish, or a statement of the model's own."""
    assert witness(said).against(text)


def test_a_text_that_tells_much_may_add_less():
    """What is told of a whole conversation is nearer to its words than a fact to its quote."""
    said, text = "I flew to Porto", "User landed in sunny Porto"
    assert not witness(said).against(text)
    assert witness(said, MOST).against(text)


def test_a_short_reply_says_what_was_asked():
    """Whoever says yes to a question says what is in it; an assistant's guess is nobody's."""
    asked = [turn("Hi", "Do you live in Berlin?", n=1), turn("Yes I do", "Nice.", n=2)]
    guessed = [turn("Hi", "You live in Berlin.", n=1), turn("Yes I do", "Nice.", n=2)]
    text = "User lives in Berlin"
    assert Witness(TurnTexts(units_of(asked)).users, at=AT).against(text) == ""
    assert Witness(TurnTexts(units_of(guessed)).users, at=AT).against(text)


def test_another_language_is_not_the_users():
    """Its words tell nothing there."""
    assert witness("I moved to Rome last year").speaks("User lives in Rome")
    assert not witness("I moved to Rome last year").speaks("用户住在罗马")
    assert not witness("Ich bin nach Rom gezogen und arbeite dort").speaks("User moved to the city")


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text(said, text):
    """Never raises; what the user said as it stands is borne out, but for numbers."""
    assert isinstance(witness(said).against(text), str)
