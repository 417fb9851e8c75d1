"""Which answers of models repeat what is forgotten: those lose their words, others keep them."""

import pytest

from recollect.memory.forget.answers import repeating
from recollect.memory.model.turns import GivenAnswer

ALLERGY = "User is allergic to Zorblattix"
TOLD, SHOWN = "c1", ("m",)


def repeats(forgotten, answer, *, conversation="c2", recalled=()):
    one = GivenAnswer("t", conversation, recalled, answer)
    return repeating([one], [forgotten], ["m"], {TOLD}) == ["t"]


@pytest.mark.parametrize("near", [{"recalled": SHOWN}, {"conversation": TOLD}])
@pytest.mark.parametrize(
    ("forgotten", "answer"),
    [
        (ALLERGY, "You are allergic to zorblattix."),
        (ALLERGY, "Zorblattix is best avoided today."),
        ("User's allotment number is 4711, by the canal", "It is 4711."),
        ("User likes green tea", "Then take green tea with you."),
        ("Der Nutzer wohnt in Quendrosk", "In Quendrosk regnet es heute."),
        ("用户的猫叫小白", "您的猫叫小白。"),
    ],
)
def test_an_answer_that_was_made_with_it(near, forgotten, answer):
    """Its name, its number or half of its words are enough."""
    assert repeats(forgotten, answer, **near)


@pytest.mark.parametrize(
    ("forgotten", "answer"),
    [
        (ALLERGY, "Noted, I see."),
        (ALLERGY, "The boat is in Oslo until the end of May."),
        ("User's allotment number is 4711, by the canal", "Call 4712 tomorrow."),
        ("User likes green tea", "The meeting is at noon."),
    ],
)
def test_an_answer_about_something_else_stays(forgotten, answer):
    """Although it was made with it."""
    assert not repeats(forgotten, answer, recalled=SHOWN)


@pytest.mark.parametrize(
    ("forgotten", "answer", "is_one"),
    [
        (ALLERGY, "As you said, you are allergic to Zorblattix.", True),
        (ALLERGY, "Zorblattix grows near rivers.", False),
        ("User likes tea", "Many people like tea.", False),
        ("User met Anna in Tbilisi", "Anna called about the roof.", False),
        ("User met Anna in Tbilisi", "You met Anna in Tbilisi in May.", True),
    ],
)
def test_an_answer_elsewhere(forgotten, answer, is_one):
    """Only one that names all of it and has most of its words."""
    assert repeats(forgotten, answer) is is_one
