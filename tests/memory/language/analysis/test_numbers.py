"""Numbers in one way of writing."""

import pytest

from recollect.memory.language.analysis.numbers import number_words, spoken_digits


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("10,000", ["10000"]),
        ("10.000", ["10000", "10.000"]),
        ("1,234,567.89", ["1234567"]),
        ("1.234.567,89", ["1234567"]),
        ("10,000.50", ["10000"]),
        ("2.3.5", ["2.3.5", "2", "3", "5"]),
        ("3,5", ["3.5", "3", "5"]),
        ("1.5k", ["1500"]),
    ],
)
def test_numbers_with_points(text, words):
    """Thousands are one number however they are grouped; a version stands whole and in parts."""
    assert list(number_words(text)) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("10k", ["10k", "10000"]),
        ("5th", ["5"]),
        ("07", ["7"]),
        ("007", ["007"]),
        ("00", ["0"]),
        ("10am", ["10am", "10", "am"]),
        ("h2o", None),
    ],
)
def test_words_with_digits(text, words):
    """Ordinals, measures and days are found by their number."""
    assert spoken_digits(text) == words
