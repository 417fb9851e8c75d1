import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.reconcile.values import plain_values


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("5:30 am", "05:30"),
        ("05:30", "05:30"),
        ("7 pm", "19:00"),
        ("12 am", "00:00"),
        ("12:15 p.m.", "12:15"),
        ("17h40", "17:40"),
        ("6:15 PM", "18:15"),
    ],
)
def test_times_of_day(written, plain):
    """Twelve hours, twenty-four hours and other languages' signs become HH:MM."""
    assert plain_values(written).strip() == plain


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("2.200", "2200"),
        ("2,200", "2200"),
        ("1,234,567", "1234567"),
        ("$10k", "$10000"),
        ("2,5 kg", "2.5 kg"),
        ("2.5 kg", "2.5 kg"),
        ("0.75", "0.75"),
        ("12 april", "12 april"),
        ("3 h", "3 h"),
        ("99:99", "99:99"),
    ],
)
def test_numbers(written, plain):
    """Groups of three are joined, decimals have a point, durations and nonsense stay."""
    assert plain_values(written) == plain


@given(st.text().filter(lambda text: not any(char.isnumeric() for char in text)))
def test_without_a_number_nothing_changes(text):
    """Commas and points of prose stay where they are."""
    assert plain_values(text) == text
