"""What a text says of a person."""

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
    assert trait in traits_of(text).traits


@pytest.mark.parametrize(
    "text", ["We had a short trip", "The report was brief", "Ich war nur kurz beim Bäcker"]
)
def test_one_word_about_form_is_no_wish(text):
    """It tells of something else."""
    assert WISH not in traits_of(text).traits


@pytest.mark.parametrize(
    "text",
    [
        "User wants temperatures in Celsius",
        "User wants to be called Coach",
        "Der Nutzer möchte Temperaturen in Celsius",
        "L'utilisateur veut être tutoyé",
        "El usuario quiere las medidas en sistema métrico",
    ],
)
def test_what_a_fact_says_the_user_wants_of_answers_is_a_wish(text):
    """By what it says, in the third person as models write it."""
    assert WISH in traits_of(text).traits


@pytest.mark.parametrize(
    "text",
    [
        "User wants a new laptop",
        "User keeps the oven at 180 degrees Celsius",
        "User wants to cook the roast at 160 degrees Celsius",
    ],
)
def test_what_the_user_wants_of_the_world_is_none(text):
    """Nor what they do."""
    assert WISH not in traits_of(text).traits


def test_topics_are_told():
    """Of a request as of a constraint."""
    assert "food" in traits_of("Give me a dinner recipe").topics
    assert traits_of("My sister plays the cello").topics == frozenset()
