"""Detects requests for a word or a phrase in another language."""

from __future__ import annotations

from recollect.memory.language import Hit
from recollect.memory.language.message import Reading
from recollect.memory.language.requests import Cue

_MOST_WORDS = 30
_LONGEST_PHRASE = 12
"""Words of a phrase without quotation marks."""


def asks_for_wording(reading: Reading) -> bool:
    """Whether a stated phrase is wanted in a named language ("how do you say I am cold in Dutch").

    The phrase is supplied, and its pronouns are nobody's. The rest must not speak of the user.
    """
    goals = reading.scan.found(Cue.TONGUE)
    verbs = reading.scan.found(Cue.WORDING) or _changes(reading)
    if not goals or not verbs or len(reading.scan.words) > _MOST_WORDS or reading.has(Cue.KIN):
        return False
    start, end = _phrase(verbs, goals[-1])
    if end - start > _LONGEST_PHRASE or reading.open_requests(verbs):
        return False
    around = (hit.start for hit in reading.scan.found(Cue.SELF))
    return start < end and all(start <= at < end for at in around)


def _changes(reading: Reading) -> list[Hit]:
    """Verbs of translation; what the user said or has is not supplied by naming it."""
    return [] if reading.has(Cue.SELF, Cue.ANAPHORA) else reading.requests(Cue.TRANSFORM)


def _phrase(verbs: list[Hit], goal: Hit) -> tuple[int, int]:
    """The words between the verb and the language; before it if the verb comes last."""
    before = [hit.end for hit in verbs if hit.end <= goal.start]
    return (before[0] if before else 0), goal.start
