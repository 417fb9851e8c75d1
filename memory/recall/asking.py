"""What a query is about: the user, or the world. Pure."""

from __future__ import annotations

from ..language import ANY
from ..language.requests import Cue, cues_of
from ..language.scan import scan
from ..language.sentences import is_question

_KIN = "people.kin."


def speaks_of_user(wording: str) -> bool:
    """Whether the user speaks of themselves or their people ("my", "we", "grandma").

    True for a language without a pack, of which it is unknown.
    """
    said = cues_of(wording)
    return said.has(Cue.SELF, Cue.KIN) or said.languages <= {ANY}


def asks_of_user_alone(wording: str) -> bool:
    """Whether it is a question about the user that mentions none of their people.

    An open task is not: for "what should I cook?", everybody at the table counts.
    """
    said = cues_of(wording)
    if not is_question(wording) or not said.has(Cue.SELF):
        return False
    if said.has(Cue.KIN, Cue.ADVICE, Cue.TASK):
        return False
    people = scan(wording).section("people")
    return not any(
        name.startswith(_KIN) and any(hit.language in said.languages for hit in hits)
        for name, hits in people.items()
    )
