"""What a text says of a person in words of its own."""

import pytest

from recollect.memory.recall.traits import WISH, traits_of


@pytest.mark.parametrize(
    ("text", "trait"),
    [
        ("I'm allergic to peanuts", "allergy"),
        ("User is vegetarian", "diet"),
        ("Ich heiße Lena", "name"),
        ("Je suis en fauteuil roulant", "health"),
        ("卵アレルギーです", "allergy"),
        ("User prefers answers in bullet points", WISH),
        ("Bitte antworte mir kurz und in Stichpunkten", WISH),
    ],
)
def test_traits_are_told(text, trait):
    """In the first and in the third person, in several languages."""
    assert trait in traits_of(text)


@pytest.mark.parametrize(
    "text", ["We had a short trip", "The report was brief", "Ich war nur kurz beim Bäcker"]
)
def test_one_word_about_form_is_no_wish(text):
    """It tells of something else."""
    assert WISH not in traits_of(text)
