"""What a query is about: the user, somebody else, or the world. Pure."""

from __future__ import annotations

from ..language import ANY, languages_of, names_like_pronouns, packs, scan

FIRST_PERSON = "people.first_person"


def speaks_of_user(wording: str) -> bool:
    """Whether the user speaks of themselves ("my", "we").

    True for a language without a pack, of which it is unknown.
    """
    found = scan(wording)
    languages = languages_of(found.words.folded)
    if languages.isdisjoint(packs().keys() - {ANY}):
        return True
    names = names_like_pronouns(found.words)
    return any(
        hit.language in languages and hit.start not in names for hit in found.found(FIRST_PERSON)
    )
