"""Numbers, units, currencies and times of day in one form."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language.values import (
    MAX_CHARS,
    ClockTime,
    clocks_of,
    composed,
    derived,
    follows,
    is_unit,
    numbers_of,
    says_one,
    units_of,
    values_of,
)
from tests.support.folding import rows


@rows(
    "text, value",
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


@rows(
    "fact, said",
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
    list(units_of(text))
    clocks_of(text, bare=True)


@rows(
    "text, unit",
    [
        ("900 euros", "eur"),
        ("900 EUR", "eur"),
        ("€900", "eur"),
        ("900 €", "eur"),
        ("EUR 900", "eur"),
        ("55 quid", "gbp"),
        ("R$ 1.500", "brl"),
        ("12 kg", "kg"),
        ("12kg", "kg"),
        ("30°C", "c"),
        ("20 percent", "%"),
    ],
)
def test_one_unit_in_many_forms(text, unit):
    """Signs, codes and names of a unit are the same, before and behind the number."""
    [(_, found)] = units_of(text)
    assert unit in found


def test_a_name_of_two_units():
    """Pounds are a weight and a currency, so neither stands against it; unknown words say nothing."""
    [(_, found)] = units_of("900 pounds")
    assert found == {"lb", "gbp"}
    assert list(units_of("900 gold")) == []
    assert is_unit("eur")
    assert not is_unit("anna")


@rows(
    "text, clock",
    [
        ("15:00", ClockTime(15, 0)),
        ("3 PM", ClockTime(3, 0, "p")),
        ("6.30 a.m.", ClockTime(6, 30, "a")),
        ("18h30", ClockTime(18, 30)),
    ],
)
def test_times_of_day(text, clock):
    """Times are read with and without minutes, in both halves of the day."""
    assert [found for _, found in clocks_of(text)] == [clock]


def test_two_writings_of_a_time():
    """15:00 is 3 PM, and 7 am is not 7 pm; without am or pm it may be either."""
    assert ClockTime(15, 0).is_like(ClockTime(3, 0, "p"))
    assert ClockTime(3, 0).is_like(ClockTime(15, 0))
    assert ClockTime(7, 0, "a").is_against(ClockTime(7, 0, "p"))
    assert not ClockTime(7, 0, "a").is_like(ClockTime(8, 0, "a"))
