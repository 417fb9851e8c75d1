"""Words that are written like pronouns and are none."""

import pytest

from recollect.memory.language import names_like_pronouns, words_of


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("How many states does the US have?", {"US"}),
        ("Who was Henry I?", {"I"}),
        ("When did World War I end?", {"World", "War", "I"}),
        ("Was Queen Elizabeth I married?", {"Queen", "Elizabeth", "I"}),
        ("Ieri ho visto Mia al mercato", {"Mia"}),
        ("Wo wohnt Mia jetzt?", {"Mia"}),
    ],
)
def test_an_acronym_a_numeral_and_a_name(text, names):
    """By capitals where a pronoun has none."""
    words = words_of(text)
    found = {words.raw[i] for i in names_like_pronouns(words)}
    assert found & {"US", "I", "Mia"} == names & {"US", "I", "Mia"}


@pytest.mark.parametrize(
    "text",
    [
        "What did I buy?",
        "Mia sorella abita qui",
        "the Anna I know",
        "I met Henry. I liked him",
        "TELL ME WHAT I SAID ABOUT MY DOG",
        "can you tell us more",
    ],
)
def test_pronouns_stay_pronouns(text):
    """At the start of a clause, alone, or where everything is in capitals."""
    words = words_of(text)
    found = {words.raw[i] for i in names_like_pronouns(words)}
    assert found.isdisjoint({"I", "Mia", "ME", "MY", "us"})
