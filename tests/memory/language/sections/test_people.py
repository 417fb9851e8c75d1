"""Who is spoken of, in every language that names relatives."""

from recollect.memory.language import packs
from recollect.memory.language.sections.people import RELATIONS, WIDER
from recollect.memory.language.words import folded_words
from tests.support.folding import rows

READ = tuple(code for code, pack in packs().items() if pack.people.kin)


@rows("code", READ)
def test_the_nearest_relatives_are_named(code):
    """With the words for the user and for whoever speaks."""
    people = packs()[code].people
    assert {"mother", "father", "brother", "sister", "son", "daughter"} <= set(people.kin)
    assert people.user
    assert people.first_person
    assert people.third_person


@rows("code", READ)
def test_a_word_has_one_relation(code):
    """No word of kinship stands for two relations, however it is accented."""
    kin = packs()[code].people.kin
    words = [tuple(folded_words(word)) for row in kin.values() for word in set(row)]
    assert len(words) == len(set(words))


def test_wider_relations_are_known():
    """What a relation may also be called is a relation itself."""
    assert set(WIDER) | set(WIDER.values()) <= RELATIONS
