"""Numbers, units, currencies and times of day in one form."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language.values import (
    Clock,
    clocks_of,
    composed,
    derived,
    follows,
    is_unit,
    numbers_of,
    units_of,
    values_of,
)
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


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


@rows(
    "fact, said",
    [("1800", "mil 1.800"), ("32000", "32 bin"), ("10k", "10,000"), ("1974", "'74"), ("1", "")],
)
def test_what_follows(fact, said):
    """A number follows from itself, from thousands, from a short year; one and none from anything."""
    assert all(follows(one, values_of(said)) for one in numbers_of(fact))


def test_what_a_reader_counts():
    """Sums, differences, products and how many there are; words with an unknown scale."""
    counted = derived([Fraction(2008), Fraction(4)])
    assert {Fraction(2012), Fraction(2004), Fraction(2)} <= counted
    assert {Fraction(250), Fraction(130), Fraction(32_000)} <= composed(
        [Fraction(n) for n in (2, 50, 1, 30, 32)]
    )


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


@rows("text, unit", ROWS["one unit in many forms"])
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
        ("15:00", Clock(15, 0)),
        ("3 PM", Clock(3, 0, "p")),
        ("6.30 a.m.", Clock(6, 30, "a")),
        ("18h30", Clock(18, 30)),
    ],
)
def test_times_of_day(text, clock):
    """Times are read with and without minutes, in both halves of the day."""
    assert [found for _, found in clocks_of(text)] == [clock]


def test_two_writings_of_a_time():
    """15:00 is 3 PM, and 7 am is not 7 pm; without am or pm it may be either."""
    assert Clock(15, 0).is_like(Clock(3, 0, "p"))
    assert Clock(3, 0).is_like(Clock(15, 0))
    assert Clock(7, 0, "a").is_against(Clock(7, 0, "p"))
    assert not Clock(7, 0, "a").is_like(Clock(8, 0, "a"))
