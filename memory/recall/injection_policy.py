"""Decides whether an instruction may be injected unasked. Pure.

A wish is shown with every later message, whatever that is about, so whoever gets one sentence past
the user's eyes speaks in all their chats. One that carries something, asks for what no wish may
ask for, or stands in somebody else's text goes with no message unless a person validated it. It is
kept: it is listed, searched and explained, and a validation lets it in.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from ..language import scan
from ..language.requests import Cue, cues_of
from ..language.words import sentences
from ..model.types import MemoryItem
from ..trust.quarantine.payloads import UNSAFE, payload_kinds
from .index.entry import own_part
from .prototypes import AMONG, INSTRUCTS, LASTING_INSTRUCTS, UNFIT_MORE, Likeness
from .traits import is_among_others, lasts


class InjectionPolicy(StrEnum):
    """The places where an instruction may be shown."""

    ALWAYS = "open"
    """It may go with every message."""
    ON_REQUEST = "asked"
    """It is shown where it answers, as hearsay: nobody need follow it."""
    NEVER = "shut"
    """It is shown in no chat."""


LONG = 200
"""Characters from which a text that speaks of nobody is somebody else's."""
FAR = -0.04
"""`Likeness.unfit` below which an instruction is an ordinary one."""
_ADDRESSED = ("assistant",)
_AGAINST = ("hide", "guard", "override")
_HARM = (*_AGAINST, "data", "unconfirmed", "authority")
"""Of [planting]: what is hidden, private, switched off, ignored, done unasked, or claimed."""


def is_validated(item: MemoryItem) -> bool:
    """Whether a person said that it may stand."""
    return item.provenance.validated_at is not None


def harms(text: str) -> bool:
    """Whether its words speak of hiding something, of protections, or of ignoring rules."""
    return _has(text, _AGAINST)


def says_lasting(text: str) -> list[str]:
    """The sentences that say, by their words, how something is to be from now on.

    Each with the one after it: the mark of an image ("![") ends a sentence.
    """
    told = sentences(text)
    return ["".join(told[at : at + 2]) for at, one in enumerate(told) if lasts(one)]


def injection_policy_of(
    item: MemoryItem, meant: Likeness | None, *, wish: bool, lasting: Sequence[str]
) -> InjectionPolicy:
    """Where it may be shown; `InjectionPolicy.ALWAYS` for what instructs nobody.

    `meant` is its meaning, None where that tells nothing: then its words do. `wish`: it would be
    one. `lasting` are its sentences that say so (`says_lasting`).
    """
    if is_validated(item):
        return InjectionPolicy.ALWAYS
    text = own_part(item)
    instructs = wish or is_instruction(meant, lasting)
    carried = payload_kinds(text) if instructs else frozenset().union(*map(payload_kinds, lasting))
    unfit = 1.0 if meant is None else meant.unfit
    if not carried.isdisjoint(UNSAFE) or (instructs and meant is not None and unfit >= UNFIT_MORE):
        return InjectionPolicy.NEVER
    among = (wish or bool(lasting)) and is_among_others(text)
    doubtful = instructs and unfit >= 0.0 and _has(text, _HARM)
    # Nobody speaks of assistants to say how they want to be answered.
    if _has(text, _ADDRESSED) and (meant is None or meant.instructs >= 0.0 or bool(lasting)):
        doubtful = True
    if carried or doubtful or (among and (meant is None or meant.material >= AMONG)):
        return InjectionPolicy.ON_REQUEST
    return InjectionPolicy.ALWAYS


def is_instruction(meant: Likeness | None, lasting: Sequence[str]) -> bool:
    """Whether it tells the assistant what to do, by its meaning; people's habits last too."""
    if meant is None:
        return bool(lasting)
    return meant.instructs >= (LASTING_INSTRUCTS if lasting else INSTRUCTS)


def _has(text: str, cues: Sequence[str]) -> bool:
    section = scan(text).section("planting")
    return any(section.get(f"planting.{cue}") for cue in cues)


def may_constrain(
    text: str, meant: Likeness | None, *, lasting: bool, firm: bool, carries: bool
) -> bool:
    """Whether a text may be shown unasked because it limits what an answer is of use.

    What carries something may not, nor a long text that speaks of nobody. What tells the assistant
    what to do may only if it is far from what none may ask for, or `firm`: an illness, a diet.
    """
    if carries:
        return False
    if len(text) > LONG and not cues_of(text).has(Cue.SELF, Cue.KIN):
        return False
    if meant is None or firm or meant.unfit < FAR:
        return True
    return meant.instructs < (-LASTING_INSTRUCTS if lasting else 0.0)
