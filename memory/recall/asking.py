"""What a query is about: the user, or the world. Pure."""

from __future__ import annotations

from ..language import ANY, names_like_pronouns
from ..language.requests import Cue, cues_of
from ..language.scanner import scan

_FIRST_PERSON = "people.first_person"


def speaks_of_user(wording: str, language: str) -> bool:
    """Whether the user speaks of themselves or their people ("my", "we", "grandma").

    `language` is `language_of` the wording. True for a language without a pack, of which it is
    unknown.
    """
    if _says_i(wording, language) or scan(wording).has("person.about_user"):
        return True
    said = cues_of(wording)
    return said.has(Cue.SELF, Cue.KIN) or said.languages <= {ANY}


def _says_i(wording: str, language: str) -> bool:
    """Whether a plain pronoun says it, which is much cheaper to find than all cues."""
    found = scan(wording)
    hits = [hit for hit in found.found(_FIRST_PERSON) if hit.language == language]
    return bool(hits) and not names_like_pronouns(found.words).issuperset(h.start for h in hits)
