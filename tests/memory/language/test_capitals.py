"""What capital letters say about a word, and which pronouns are none."""

from __future__ import annotations

from recollect.memory.language import names_like_pronouns, words_of
from recollect.memory.language.capitals import is_numeral
from tests.support.folding import rows


def test_a_capital_i_that_ends_a_clause_after_a_name_is_a_numeral():
    """Between a name and a verb it may be either, so it stays the user."""
    start = frozenset({0})
    assert is_numeral(["who", "was", "Henry", "I"], 3, start)
    assert is_numeral(["who", "was", "Henry", "I", "and", "why"], 3, frozenset({0, 4}))
    assert not is_numeral(["in", "Paris", "I", "saw", "what"], 2, start)
    assert not is_numeral(["what", "can", "I"], 2, start)
    assert not is_numeral(["Should", "I"], 1, start)
    assert not is_numeral(["I"], 0, start)


@rows(
    "text, names",
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


@rows(
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
