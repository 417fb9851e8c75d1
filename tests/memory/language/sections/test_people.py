"""Who is spoken of, in every language that names relatives."""

from recollect.memory.language import packs
from recollect.memory.language.words import folded_words
from tests.support.folding import rows

READ = tuple(code for code, pack in packs().items() if pack.people.kin)


@rows("code", READ)
def test_everybody_is_named(code):
    """The user, whoever speaks or is spoken of, and whoever else a statement may be about."""
    people = packs()[code].people
    assert all((people.user, people.first_person, people.kin, people.roles))


@rows("code", READ)
def test_nobody_is_kin_and_role(code):
    """No word stands in two of the fields, however it is accented."""
    people = packs()[code].people
    words = [
        tuple(folded_words(word)) for terms in (people.kin, people.roles) for word in set(terms)
    ]
    assert len(words) == len(set(words))
