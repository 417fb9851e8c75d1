"""What a fact was read from."""

from recollect.memory.learn.extract.fact_passage import Known, passage_of
from recollect.memory.model.types import Source
from tests.support.folding import rows

from .turns import fact, said, turn

NOTHING = Known([])


def read(user, text, quote="", *, assistant="", known=NOTHING, **details):
    return passage_of(fact(text, quote, **details), said(turn(user, assistant)), known)


@rows("quote", ["", "I love Porto city", "user: we went to Porto"])
def test_a_quote_that_nobody_said(quote):
    """Then it is the sentence that has most of fact and quote."""
    passage = read("It rained. I moved to Porto. Any tips?", "User moved to Porto", quote)
    assert (passage.quote, passage.quoted) == ("I moved to Porto.", False)


def test_what_only_the_assistant_said():
    """It is the assistant's, unless the user's own sentence says half as much."""
    alone = read("Where to?", "User should stay at Hotel Sol", assistant="Stay at Hotel Sol.")
    assert alone.part.source is Source.ASSISTANT
    both = read(
        "I stay at Hotel Sol.", "User stays at Hotel Sol", assistant="Hotel Sol it is, you stay."
    )
    assert both.part.source is Source.EXTRACTION


def test_the_clauses_that_carry_a_fact():
    """Only those that share a word with the fact, if there are some."""
    passage = read(
        "I'm in Porto, if the bank agrees, with Ana.",
        "User is in Porto",
        "I'm in Porto, if the bank agrees",
    )
    assert [passage.text(span) for span in passage.clauses] == ["I'm in Porto,"]
    assert passage.near == "I'm in Porto, if the bank agrees, with Ana."
