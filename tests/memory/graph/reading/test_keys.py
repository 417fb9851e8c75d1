"""How names are compared."""

from recollect.memory.graph.reading.keys import (
    ALIKE,
    FAMILY,
    FULLER,
    GIVEN,
    INITIAL,
    SAME,
    is_contrary,
    key_of,
    likeness,
    lookup_of,
    split,
    surface_of,
)
from tests.support.folding import rows


def alike(one, other):
    return likeness(split(one)[1], split(other)[1])


@rows(
    "name, title, key",
    [
        ("Anna Schmidt", "", "anna schmidt"),
        ("Mr Szabo", "mr", "szabo"),
        ("Dr. Pell", "dr", "pell"),
        ("Mme Trintzius", "mme", "trintzius"),
        ("Mr", "", "mr"),
        ("Dunleavy's", "", "dunleavy"),
        ("Skein & Able", "", "skein able"),
        ("JOSÉ", "", "jose"),
        ("李娜", "", "李娜"),
        ("…", "", ""),
    ],
)
def test_a_name_is_its_folded_words_without_a_title(name, title, key):
    """Titles are told by their shape, and one alone is a name."""
    assert split(name)[0] == title
    assert key_of(name) == key


@rows(
    "one, other, score",
    [
        ("Anna", "anna", SAME),
        ("Katherine", "Catherine", ALIKE),
        ("Мария", "Maria", ALIKE),
        ("अनीता", "Anita", ALIKE),
        ("Luiza", "Luísa", ALIKE),
        ("Anna Maria Schmidt", "Anna Schmidt", FULLER),
        ("Anna S.", "Anna Schmidt", INITIAL),
        ("A. Schmidt", "Anna Schmidt", INITIAL),
        ("Anna", "Anna Schmidt", GIVEN),
        ("Szabo", "Bence Szabo", FAMILY),
    ],
)
def test_names_are_alike_by_their_parts_and_spelling(one, other, score):
    """Both ways."""
    assert alike(one, other) == alike(other, one) == score


@rows(
    "one, other",
    [
        ("Maria", "Mario"),
        ("Daniel", "Daniela"),
        ("Sara", "Zara"),
        ("René", "Renée"),
        ("CM1", "CM2"),
        ("Anna K.", "Anna Schmidt"),
        ("A. S.", "Anna Schmidt"),
        ("Tom Hale", "Tom Reyes"),
        ("", "Anna"),
    ],
)
def test_other_names_are_not_alike(one, other):
    """A vowel more or less is another person."""
    assert alike(one, other) == 0


def test_only_full_names_contradict_each_other():
    """A given name may be a part of any of them."""
    assert is_contrary(("tom", "hale"), ("tom", "reyes"))
    assert not is_contrary(("tom",), ("ben", "hale"))
    assert not is_contrary(("tom", "h"), ("tom", "hale"))


def test_what_may_be_the_same_is_looked_up():
    """A part by the whole, the whole by a part, and a description by itself."""
    whole = {surface_of("Anna Schmidt").key, *surface_of("Anna Schmidt").more}

    def finds(name):
        asked = lookup_of(surface_of(name))
        prefixes = tuple(key[:-1] for key in asked if key.endswith("*"))
        return bool(whole & asked) or any(key.startswith(prefixes) for key in whole if prefixes)

    assert all(map(finds, ("Anna", "Schmidt", "Anna S.", "A. Schmidt", "Ana Schmidt", "ANNA")))
    assert not any(map(finds, ("Annabel", "Berta")))
