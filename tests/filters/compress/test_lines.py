"""Which lines a message brings back."""

from datetime import date

from recollect.filters.compress.lines import asks, ranked
from recollect.filters.compress.parts import OldTurn, step_of
from tests.support.folding import rows

DAY = date(2026, 3, 1)


def step(*turns, name="s"):
    return step_of([OldTurn(f"{name}{n}", *turn, DAY) for n, turn in enumerate(turns)], len)


def test_the_words_of_the_message_decide():
    """The piece with its rare words comes first, whichever step it is in, and whoever said it."""
    steps = [
        step(("I bought a red kayak in Porto.", "A fine choice."), ("It rained.", "Oh no.")),
        step(("The weather is fine.", "Your kayaks need varnish."), name="u"),
    ]
    found = [one.text for one in ranked(steps, "What colour is my kayak from Porto?")]
    assert found[0] == "I bought a red kayak in Porto."
    assert "Your kayaks need varnish." in found[:4]
    assert "It rained." not in found[:2]


def test_an_answer_is_found_by_what_was_asked():
    """A neighbour of a piece that matches scores too."""
    read = step(("Thanks.", "How is your sister called?"), ("Zoe.", "A lovely name."))
    found = [one.text for one in ranked([read], "sister called")]
    assert found[0] == "How is your sister called?"
    assert "Zoe." in found


def test_nothing_is_found_without_a_common_word():
    """Nor in nothing."""
    assert ranked([step(("I like figs.", "Good."))], "Quantum chromodynamics") == []
    assert ranked([], "figs") == []
    assert ranked([step(("I like figs.", "Good."))], "") == []


@rows(
    "message",
    [
        "Where do I live?",
        "Write an e-mail to my landlord about the leak",
        "Schreib eine Mail an meinen Vermieter",
        "日本語で書いて",
        "どこに住んでいますか？",
    ],
)
def test_what_asks_is_searched_for(message):
    """Questions, requests, and whatever is in a language whose requests are not known."""
    assert asks(message)


@rows("message", ["I moved to Lisbon yesterday.", "That was lovely, the kids enjoyed it so much."])
def test_what_only_tells_is_not(message):
    """Lines would only make the prompt longer."""
    assert not asks(message)
