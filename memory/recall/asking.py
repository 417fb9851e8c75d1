"""What a query is about: the user, or the world. Pure."""

from __future__ import annotations

from ..language import ANY
from ..language.requests import Cue, cues_of


def speaks_of_user(wording: str) -> bool:
    """Whether the user speaks of themselves or their people ("my", "we", "grandma").

    True for a language without a pack, of which it is unknown.
    """
    said = cues_of(wording)
    return said.has(Cue.SELF, Cue.KIN) or said.languages <= {ANY}
