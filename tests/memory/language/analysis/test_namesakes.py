"""Function words that are first names in other capitals."""

import pytest

from recollect.memory.language import index_terms, query_terms
from recollect.memory.language.analysis.namesakes import namesakes, pronouns_lowered


def test_names_that_are_function_words():
    """Of any language with a file; with their capital, since the small word is none."""
    assert {"Mia", "Ben"} <= namesakes()
    assert "mia" not in namesakes()
    assert "Anna" not in namesakes()


@pytest.mark.parametrize(
    ("text", "language", "lowered"),
    [
        ("Mia sorella canta con Mia", "it", "mia sorella canta con Mia"),
        ("Canto. Mia sorella balla", "it", "Canto. mia sorella balla"),
        ("Ben geldim, Ben de geldi", "tr", "ben geldim, Ben de geldi"),
        ("Mia sings", "en", "Mia sings"),
    ],
)
def test_a_sentence_begins_with_the_pronoun(text, language, lowered):
    """In the languages in which it is one."""
    assert pronouns_lowered(text, language) == lowered


def test_a_name_does_not_vanish():
    """Neither from a question nor from a memory, in the language whose pronoun it is."""
    asked = query_terms("Quando compie gli anni la piccola Mia?", {"it"})
    told = index_terms("La figlia più piccola dell'utente si chiama Mia e ha tre anni")
    assert told.language == "it"
    assert "mia" in set(asked) & set(told.terms)
    assert "mia" not in query_terms("Dove abita la mia sorella?", {"it"})
    assert "mia" not in index_terms("Mia sorella abita a Bari con la zia").terms
