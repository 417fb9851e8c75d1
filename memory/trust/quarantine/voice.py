# ruff: noqa: RUF001 - quotation marks of all scripts are meant
"""Tells statements about the user from sentences to the assistant."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from .reading import CueReading, Utterance

_SUBJECT_WORDS = 4
"""Most words before "of the user" at the start of a statement."""
_ORDERED = frozenset({"negation", "send", "tell", "hide", "promote", "action", "condition"})
"""Cues that make the words before the user an order."""
_QUOTED = regex.compile(
    r"“[^”]*”|«[^»]*»|„[^“”]*[“”]|「[^」]*」|『[^』]*』|\"[^\"]*\"|`[^`]*`|‘[^’]*’"
    r"|(?<![\p{L}\p{N}])'(?:[^']|(?<=\p{L})'(?=\p{L}))*'(?!\p{L})"
)
_WORK = frozenset({"topic", "process"})
_NAME = regex.compile(r"\p{Lu}\p{Ll}{2,20}")


@dataclass(frozen=True, slots=True)
class Voice:
    """A candidate, and what it says."""

    spoken: Utterance
    cues: frozenset[str]
    """Cues of the predicate; the user as the subject does not count."""
    described: bool
    """Whether it begins with the user, as a statement about them."""
    name: str = ""
    """A first word that looks like a name."""


def hear(text: str) -> Voice:
    """The voice of `text`; quotations of a user who works with such texts are left out."""
    reading = CueReading(text)
    start = _predicate(reading)
    whole = reading.spoken(0, len(reading))
    if start is None:
        return Voice(whole, whole.cues, described=False, name=_name(reading))
    bare = _QUOTED.sub(" ", reading.text)
    if bare != reading.text:
        unquoted = CueReading(bare)
        said = unquoted.cues(_predicate(unquoted) or 0, len(unquoted))
        if said & _WORK:
            return Voice(unquoted.spoken(0, len(unquoted)), said, described=True)
    return Voice(whole, reading.cues(start, len(reading)), described=True)


def _name(reading: CueReading) -> str:
    first = reading.words.raw[0] if len(reading) else ""
    return first if _NAME.fullmatch(first) and not reading.cues(0, 1) else ""


def _predicate(reading: CueReading) -> int | None:
    """The word after "the user" at the start, or None without them.

    "customer" and "owner" do not count: users do not call themselves that.
    """
    start = reading.ends("article", 0)
    end = reading.ends("user", start)
    return end if end and not reading.ends("holder", start) else _possession(reading)


def _possession(reading: CueReading) -> int | None:
    """The word after "the sister of the user" at the start; None without them or for an order."""
    for start in range(1, min(len(reading), _SUBJECT_WORDS + 1)):
        of = reading.ends("possessive", start)
        end = (reading.ends("user", of) or reading.ends("user", start)) if of else 0
        if end:
            return end if reading.cues(0, start).isdisjoint(_ORDERED) else None
    return None
