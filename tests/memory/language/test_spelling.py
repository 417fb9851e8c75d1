"""Names in other spellings and scripts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language.spelling import is_spelled_alike, sounds_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Katherine", "Catherine"),
        ("Jon", "John"),
        ("Müller", "Mueller"),
        ("Caroline", "Karolin"),
        ("Мария", "Maria"),
        ("Юлия", "Julia"),
        ("マリア", "Maria"),
        ("محمد", "Muhammad"),
        ("मारिया", "Maria"),
        ("שרה", "Sarah"),
        ("유나", "Yuna"),
        ("小美", "Xiaomei"),
    ],
)
def test_spellings_of_one_name(one, other):
    """In one script and across two, in both directions."""
    assert is_spelled_alike(one, other)
    assert is_spelled_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ahmed", "Mehdi"),
        ("Elise", "Alice"),
        ("Kasia", "Marta"),
        ("Jo", "Ann"),
        ("", ""),
        ("7", "7"),
    ],
)
def test_two_names(one, other):
    """Other consonants, another first vowel, or too little to tell."""
    assert not is_spelled_alike(one, other)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text(one, other):
    """Never fails, and is the same both ways round."""
    assert isinstance(sounds_of(one), str)
    assert is_spelled_alike(one, other) == is_spelled_alike(other, one)
