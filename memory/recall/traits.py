"""What a text says of a person, and what it is about. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from ..language import Hit, Scan, languages_of, scan
from .instructions import instructs_form

TRAIT = "person.traits."
WISH = "wish"
"""How the user wants to be answered: a trait that others together show."""
_WANTED = frozenset({"prefers", "always", "avoids", "language"})
_OF_ANSWERS = frozenset({"manner", "units", "name", "language", "reads"})
"""Traits that make a wish of what the user is said to want."""
SHORT, EACH = 120, 60
"""Characters of the longest text that is a wish, and for each of its words about form."""
_LONG = 6
"""Letters from which a term counts in any language: short texts tell their language badly, and
short words mean something else in another one."""


@dataclass(frozen=True, slots=True)
class Traits:
    """The traits and topics of a text, as `memory/language/sections/person.py` names them."""

    traits: frozenset[str]
    bears_on: frozenset[str] = frozenset()
    """The topics of requests that it bears on, which its meaning tells (`prototypes`)."""


def traits_of(text: str) -> Traits:
    """About 40 microseconds for a sentence."""
    found = scan(text)
    told = _told(found)
    traits = _named(told, TRAIT)
    if _is_wish(traits, told, text):
        traits |= {WISH}
    return Traits(traits)


def wants(text: str) -> bool:
    """Whether a stored fact says that the user wants something: "User wants ..."."""
    found = scan(text)
    wanted = found.found("person.wants")
    if not wanted or all(hit.start > 1 for hit in found.found("people.user")):
        return False
    languages = languages_of(found.words.folded)
    return any(hit.language in languages for hit in wanted)


def _told(found: Scan) -> dict[str, list[Hit]]:
    """The terms of the section in languages that the text may be of."""
    section = found.section("person")
    if not section:
        return {}
    languages = languages_of(found.words.folded)
    told = {
        name: [hit for hit in hits if hit.language in languages or _is_long(found, hit)]
        for name, hits in section.items()
    }
    return {name: hits for name, hits in told.items() if hits}


def _is_long(found: Scan, hit: Hit) -> bool:
    return hit.letters(found.words.folded) >= _LONG


def _is_wish(traits: frozenset[str], told: dict[str, list[Hit]], text: str) -> bool:
    """One word about form tells nothing ("a short trip"); two, or one that is preferred, do.

    In a long text they are few among many.
    """
    manner = told.get(f"{TRAIT}manner", [])
    if len(text) > SHORT + EACH * len(manner):
        return False
    if ("reads" in traits and "household" not in traits) or instructs_form(text):
        return True
    if len(manner) > 1 or (manner and not traits.isdisjoint(_WANTED)):
        return True
    if any(map(str.isdigit, text)):
        return False
    return ("units" in traits and not traits.isdisjoint(_WANTED)) or (
        not traits.isdisjoint(_OF_ANSWERS) and wants(text)
    )


def _named(told: dict[str, list[Hit]], prefix: str) -> frozenset[str]:
    return frozenset(name.removeprefix(prefix) for name in told if name.startswith(prefix))
