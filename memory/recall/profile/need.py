"""What a request needs of a profile. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ...language import scan
from ...language.message import Reading, bound, take_apart
from ...language.requests import Cue
from ..traits import traits_of

_FIXED = (Cue.TRANSFORM, Cue.CALC)


@dataclass(frozen=True, slots=True)
class Need:
    """A request as a profile sees it."""

    about_user: bool
    """It asks what is known about the user."""
    topics: frozenset[str]
    """What it is about, if somebody's constraints may bear on it; empty for a question of
    knowledge and for a change of given text."""

    @classmethod
    def of(cls, message: str, meant: frozenset[str] = frozenset()) -> Self:
        """`meant` are its topics by meaning, which a question of knowledge hardly has."""
        text = take_apart(bound(message)).asked
        # In any language: the phrases are long, and a short question tells its language badly.
        if scan(text).has("person.about_user"):
            return cls(about_user=True, topics=frozenset())
        topics = traits_of(text).topics
        if topics and not _is_open(text):
            topics = frozenset()
        return cls(about_user=False, topics=topics | meant)


def _is_open(text: str) -> bool:
    """Whether the answer may depend on who asks."""
    reading = Reading(take_apart(text))
    if any(reading.requests(cue) for cue in _FIXED):
        return False
    if (
        scan(text).has("person.seeks")
        or reading.has(Cue.SELF, Cue.ADVICE)
        or reading.requests(Cue.TASK)
    ):
        return True
    known = reading.has(Cue.STRONG, Cue.GENERAL)
    return not known and (reading.has(Cue.FRAME) or not reading.has(Cue.OPENER))
