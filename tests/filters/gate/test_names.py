"""Names in a question, known to the world or to the user alone."""

import pytest

from recollect.filters.gate.names import is_full_name, is_lone, owns, unknown_names
from recollect.memory.language.message import Reading, take_apart


def names(text):
    reading = Reading(take_apart(text))
    return reading, unknown_names(reading, range(len(reading.scan.raw)))


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("When did Ottilie repot the ferns?", {"Ottilie"}),
        ("Quand Maëlys est-elle partie ?", {"Maëlys"}),
        ("¿Cuándo jugó Idoia al ajedrez?", {"Idoia"}),
        ("What is the capital of Bhutan?", set()),
        ("Is the Pacific Ocean deep?", set()),
        ("when did ottilie repot the ferns?", set()),
        ("WHEN DID OTTILIE REPOT THE FERNS", set()),
        ("Wann hat Ottilie die Farne umgetopft?", set()),
    ],
)
def test_unknown_names_have_capitals_and_no_known_word_beside_them(text, unknown):
    """What the shape of a question leads to is known; German writes all nouns like names."""
    reading, found = names(text)
    assert {reading.scan.raw[i] for i in found} == unknown


def test_a_full_name_is_two_capitals():
    """One alone is lone, whatever stands beside it in small letters."""
    reading, found = names("When did Ottilie Brandt meet Idoia?")
    assert {reading.scan.raw[i] for i in found if is_lone(reading, i)} == {"Idoia"}
    assert is_full_name(reading, 2)
    assert not is_full_name(reading, 3)


def test_an_owner_has_a_genitive():
    """Whose things are asked about is somebody whom the user knows."""
    assert owns(*names("How old are Ottilie's ferns?"))
    assert not owns(*names("How old is Ottilie?"))
