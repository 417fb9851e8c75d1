"""Units, currencies and times of day in one form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language.values.measures import Clock, clocks_of, is_unit, units_of


@pytest.mark.parametrize(
    ("text", "unit"),
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


@pytest.mark.parametrize(
    ("text", "clock"),
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


@given(st.text())
def test_any_text(text):
    """No text breaks it."""
    list(units_of(text))
    clocks_of(text, bare=True)
