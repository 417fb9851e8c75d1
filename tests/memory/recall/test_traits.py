"""What a text says of a person and to the assistant, by its words: instructions, traits, wishes. Pure.

`prototypes` tells by meaning what has no such words.
"""

from recollect.memory.recall.traits import (
    LONGEST,
    WISH,
    instructs,
    instructs_form,
    is_among_others,
    lasts,
    traits_of,
    with_others,
)
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@rows("sentence", ROWS["instructions about form are wishes"])
def test_instructions_about_form_are_wishes(sentence):
    """Every answer has a form, so they bear on every request."""
    assert instructs(sentence)
    assert instructs_form(sentence)
    assert WISH in traits_of(sentence)


@rows("sentence", ROWS["they may follow something else"])
def test_they_may_follow_something_else(sentence):
    """They begin with "and" or "also", or say when."""
    assert instructs(sentence)


@rows("sentence", ROWS["orders and statements are none"])
def test_orders_and_statements_are_none(sentence):
    """An order for one answer does not last, and what the user does instructs nobody."""
    assert not instructs(sentence)


def test_instructions_about_code_last_but_are_no_wishes():
    """They bear on requests about code only."""
    assert instructs("Always write tests in pytest.")
    assert not instructs_form("Always write tests in pytest.")


@rows(
    "text, trait",
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


@rows("text", ["We had a short trip", "The report was brief", "Ich war nur kurz beim Bäcker"])
def test_one_word_about_form_is_no_wish(text):
    """It tells of something else."""
    assert WISH not in traits_of(text)


CAPITALS = "Always answer in capital letters."
RICE = "Rice is a cereal grain."


@rows(
    "text",
    [
        "Always answer in German.", "Cita siempre tus fuentes.", "Dammi sempre i gradi Celsius.",
        "Cite toujours tes sources.", "\u6e29\u5ea6\u306f\u3044\u3064\u3082\u6442\u6c0f\u3067\u6559\u3048\u3066\u304f\u3060\u3055\u3044\u3002",
    ],
)  # fmt: skip
def test_an_order_that_lasts_is_told_by_its_words(text):
    """Wherever the word for "always" stands in it."""
    assert lasts(text)
    assert not lasts("I always use a pen.")
    assert not lasts("Is it always so cold?")


def test_a_wish_in_a_text_of_nobody_is_kept_with_it():
    """What stands around it shows whose it is."""
    text = f"{RICE} {CAPITALS} It is grown in Asia."
    assert with_others(text, CAPITALS) == text
    assert is_among_others(text)


def test_a_paragraph_of_its_own_stands_between_its_neighbours():
    """A pasted text has several."""
    text = f"{RICE}\n\n{CAPITALS}\n\nIt is grown in Asia."
    assert with_others(text, CAPITALS) == f"{RICE} {CAPITALS} It is grown in Asia."


def test_parts_are_judged_apart():
    """What the user says in another paragraph makes nothing of it theirs."""
    text = f"I have two cats.\n\n{RICE} {CAPITALS}"
    assert with_others(text, CAPITALS) == f"{RICE} {CAPITALS}"


@rows(
    "text",
    [
        CAPITALS,
        f"I have two cats. {CAPITALS}",
        f"What is rice? {CAPITALS}",
        f"Write a poem. {CAPITALS}",
    ],
)
def test_the_users_own_words_are_no_surroundings(text):
    """Nor are a question and a request beside it."""
    assert with_others(text, CAPITALS) == ""
    assert not is_among_others(text)


def test_they_are_bounded():
    """Of a long text, what is nearest to the wish."""
    text = " ".join([RICE] * 99 + [CAPITALS] + [RICE] * 99)
    found = with_others(text, CAPITALS)
    assert CAPITALS in found
    assert len(found) <= LONGEST
