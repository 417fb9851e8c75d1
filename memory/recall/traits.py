"""What a text says of a person in words that a language has for it. Pure.

`prototypes` tells by meaning what has no such words.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..language import Hit, Scan, languages_of, scan
from .instructions import instructs_form

TRAIT = "person.traits."
WISH = "wish"
"""How the user wants to be answered: a trait that others together show."""
SHORT, EACH = 120, 60
"""Characters of the longest text that is a wish, and for each of its words about form."""
_LONG = 6
"""Letters from which a term counts in any language: short texts tell their language badly, and
short words mean something else in another one."""


@dataclass(frozen=True, slots=True)
class Traits:
    """What a memory tells of the user, by its words and by its meaning."""

    traits: frozenset[str]
    bears_on: frozenset[str] = frozenset()
    """The topics of requests that it bears on."""
    private: bool = False
    """Whether it is about health, money, fear or trouble in the family."""
    unfit: bool = False
    """Whether it is an instruction that goes with no message unasked (`profile.door`)."""
    unsafe: bool = False
    """Whether it is one that is shown in no chat."""
    carries: bool = False
    """Whether it has an address, a placeholder or the like, so that it fills no budget."""


def traits_of(text: str) -> frozenset[str]:
    """The traits of a text, as `memory/language/sections/person.py` names them; 40 microseconds."""
    told = _told(scan(text))
    traits = frozenset(told)
    return traits | {WISH} if _is_wish(len(told.get("manner", ())), text) else traits


def _told(found: Scan) -> dict[str, list[Hit]]:
    """The terms of the section in languages that the text may be of."""
    section = found.section("person")
    if not section:
        return {}
    languages = languages_of(found.words.folded)
    told = {
        name.removeprefix(TRAIT): [
            hit for hit in hits if hit.language in languages or _is_long(found, hit)
        ]
        for name, hits in section.items()
        if name.startswith(TRAIT)
    }
    return {name: hits for name, hits in told.items() if hits}


def _is_long(found: Scan, hit: Hit) -> bool:
    return hit.letters(found.words.folded) >= _LONG


def _is_wish(manners: int, text: str) -> bool:
    """One word about form tells nothing ("a short trip"); two do, or one of an instruction.

    In a long text they are few among many.
    """
    if len(text) > SHORT + EACH * manners:
        return False
    return manners > 1 or instructs_form(text)
