"""Numbers in one form, whatever they are written in."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language.values.numerals import (
    MAX_CHARS,
    composed,
    derived,
    follows,
    numbers_of,
    says_one,
    values_of,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10,000 EUR", 10_000),
        ("10.000 EUR", 10_000),
        ("1 234 567", 1_234_567),
        ("1,234,567", 1_234_567),
        ("1.234,50", Fraction(2469, 2)),
        ("3,5 km", Fraction(7, 2)),
        ("Python 3.11", Fraction(311, 100)),
        ("twelve years", 12),
        ("fifty-five", 55),
        ("zwei Katzen", 2),
        ("四千", 4000),
        ("三十二万", 320_000),
        ("32万", 320_000),
        ("二〇二三年", 2023),
        ("两只猫", 2),
        ("十二桌", 12),
        ("१२", 12),
        ("the 5th", 5),
        ("130/85", 85),
        ("12.03.2023", 2023),
    ],
)
def test_forms_of_a_number(text, value):
    """Groups, fractions, other digits, number words and han numerals are one number."""
    assert Fraction(value) in values_of(text)


def test_words_of_one_language():
    """A word counts as a number in its own language: Turkish "on" is ten, English is not."""
    assert numbers_of("on Monday", "en") == []
    assert [int(one.value) for one in numbers_of("on elma", "tr")] == [10]


@pytest.mark.parametrize(
    ("fact", "said"),
    [("1800", "mil 1.800"), ("32000", "32 bin"), ("10k", "10,000"), ("1974", "'74"), ("1", "")],
)
def test_what_follows(fact, said):
    """A number follows from itself, from thousands, from a short year; one and none from anything."""
    assert all(follows(one, values_of(said)) for one in numbers_of(fact))


def test_what_does_not_follow():
    """Another number does not."""
    assert not follows(numbers_of("9")[0], values_of("5"))


def test_what_a_reader_counts():
    """Sums, differences, products and how many there are; words with an unknown scale."""
    counted = derived([Fraction(2008), Fraction(4)])
    assert {Fraction(2012), Fraction(2004), Fraction(2)} <= counted
    assert {Fraction(250), Fraction(130), Fraction(32_000)} <= composed(
        [Fraction(n) for n in (2, 50, 1, 30, 32)]
    )


def test_an_article_counts_one():
    """English says "a beagle" for one; a language without articles has no such word."""
    assert says_one("2 labs and a beagle", "en")
    assert not says_one("2 labs", "en")
    assert not says_one("两只猫", "zh")


def test_long_texts():
    """A number is found wherever it stands in a long text."""
    assert Fraction(4711) in values_of("blah " * MAX_CHARS + "4711 " + "blah " * 10)


@given(st.integers(0, 10**12))
def test_a_number_in_any_writing_is_itself(number):
    """With any grouping, in any digits, a number is its own value."""
    grouped = f"{number:,}"
    arabic = str(number).translate({ord(str(n)): chr(0x660 + n) for n in range(10)})
    for form in (
        str(number),
        grouped,
        grouped.replace(",", "."),
        grouped.replace(",", " "),
        arabic,
    ):
        assert Fraction(number) in values_of(f"it is {form} now"), form


@given(st.text())
def test_any_text(text):
    """No text breaks it, and no number of a text is unsaid in it."""
    said = values_of(text)
    assert all(one.readings <= said for one in numbers_of(text))
    derived(sorted(said))
