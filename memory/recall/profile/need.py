"""What a request needs of a profile. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ...language import scan
from ...language.message import Reading, bound, take_apart
from ...language.requests import Cue
from ..prototypes import MessageMeaning

ANY_TOPIC = frozenset({"any"})
"""Of a request, and of what constrains, where only words were read."""
_PERSONAL = (Cue.SELF, Cue.KIN, Cue.ADVICE)
_FIXED = (Cue.TRANSFORM, Cue.CALC)


@dataclass(frozen=True, slots=True)
class Need:
    """A request as a profile sees it."""

    about_user: bool
    """It asks what is known about the user."""
    topics: frozenset[str]
    """What it is about, if somebody's constraints may bear on it; empty for a question of
    knowledge or about the user's own things, and for a change of given text."""

    @classmethod
    def of(cls, message: str, meant: MessageMeaning | None = None) -> Self:
        """`meant` is what it means; None where meaning tells nothing, and words must."""
        text = take_apart(bound(message)).asked
        # In any language: the phrases are long, and a short question tells its language badly.
        if scan(text).has("person.about_user") or (meant is not None and meant.about_user):
            return cls(about_user=True, topics=frozenset())
        if meant is not None:
            return cls(about_user=False, topics=meant.topics)
        return cls(about_user=False, topics=ANY_TOPIC if _is_personal(text) else frozenset())


def _is_personal(text: str) -> bool:
    """Whether the words of a request say that the answer depends on who asks."""
    reading = Reading(take_apart(text))
    if any(reading.requests(cue) for cue in _FIXED):
        return False
    if reading.has(*_PERSONAL):
        return True
    return bool(reading.requests(Cue.TASK)) and not reading.has(Cue.STRONG, Cue.GENERAL)
