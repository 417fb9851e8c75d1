import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.extract.numbers import numbers_in, unsaid


def is_unsaid(fact, text, *, spelled_unknown=False):
    return unsaid(fact, numbers_in(text), spelled_unknown=spelled_unknown)


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("budget is 10,000 EUR", "my budget is 10000"),
        ("budget is 10000 EUR", "my budget is $10k"),
        ("budget is 10.000 EUR", "10,000 it is"),
        ("budget is 4500", "about 4.5k"),
        ("10k budget", "ten thousand, so 10,000"),
        ("runs 3.5 km", "3,5 km"),
        ("costs 1 234 567", "1,234,567"),
        ("has 2 cats", "two cats"),
        ("has 2 Katzen", "zwei Katzen"),
        ("is 25", "I'm twenty-five"),
        ("is 20", "I'm twenty"),
        ("有3只猫", "三只猫"),
        ("has a dog, so 1 pet and 0 cats", "a dog"),
        ("meets at 15:00", "at 3 pm"),
        ("meets at 15:30", "15:30"),
        ("Python 3.11", "python 3.11"),
        ("on the 5th", "on the 5th"),
        ("७ बिल्ली", "7"),
        ("no number", ""),
    ],
)
def test_said_in_another_way(fact, text):
    """Grouping, "k", words and other digits are ways of writing the same number."""
    assert not is_unsaid(fact, text)


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("budget is 15,000", "my budget is 10,000"),
        ("has 3 cats", "two cats"),
        ("has 2 cats", "cats"),
        ("meets at 14:00 UTC", "we meet"),
        ("is 45", "I'm four years older and five wiser"),
        ("phone 555-0199", "call me"),
    ],
)
def test_invented(fact, text):
    """A number that nobody said is found, hours of a server's clock too."""
    assert is_unsaid(fact, text)


def test_languages_whose_numbers_we_do_not_know():
    """There a small number may be a word; a larger one has to be said."""
    assert not is_unsaid("3 koty", "trzy koty", spelled_unknown=True)
    assert is_unsaid("30 kotów", "trzydzieści kotów", spelled_unknown=True)
    assert is_unsaid("o 10:00", "o dziesiątej", spelled_unknown=True)


def test_long_texts():
    """A number is found wherever it stands in a long text."""
    text = "blah " * 10_000 + "4711 " + "blah " * 10_000
    assert "4711" in numbers_in(text)


@given(st.text(st.characters(categories=["L", "N", "P", "Z"])))
def test_a_text_says_its_own_numbers(text):
    """No number of a text is unsaid in it."""
    assert not is_unsaid(text, text)
