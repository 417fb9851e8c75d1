# ruff: noqa: RUF001 - quotation marks of all scripts are meant
"""A sentence of a candidate: whether it states something about the user or orders something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import regex

from .reading import CueReading, Utterance

_SUBJECT_WORDS = 4
"""Most words before "of the user" at the start of a claim."""
_ORDERED = frozenset({"negation", "send", "tell", "hide", "promote", "action", "condition"})
"""Cues that make the words before the user an order."""
_QUOTED = regex.compile(
    r"“[^”]*”|«[^»]*»|„[^“”]*[“”]|「[^」]*」|『[^』]*』|\"[^\"]*\"|`[^`]*`|‘[^’]*’"
    r"|(?<![\p{L}\p{N}])'(?:[^']|(?<=\p{L})'(?=\p{L}))*'(?!\p{L})"
)
_WORK = frozenset({"topic", "process"})
_INITIAL = regex.compile(r"\p{Lu}")
_NAME = regex.compile(r"\p{Lu}\p{Ll}{2,20}")


class Form(StrEnum):
    """How a sentence begins."""

    DESCRIBED = "described"
    """With the user, as a claim about them, or with a pronoun after such a sentence."""
    FIRST = "first"
    """It speaks in the first person."""
    NAMED = "named"
    """With a word that looks like a name."""
    BARE = "bare"
    """With none of these: an order, or a claim about something else."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of a candidate."""

    spoken: Utterance
    cues: frozenset[str]
    """Cues of the predicate; the user as the subject does not count."""
    form: Form
    span: tuple[int, int]
    """Its characters in the candidate."""


def claims(text: str) -> Iterator[Claim]:
    """The sentences of `text`, in order; their spans cover it."""
    reading = CueReading(text)
    about_somebody = False
    for start, end in _sentences(reading):
        claim = _claim(reading, start, end, follows=about_somebody)
        about_somebody = claim.form in {Form.DESCRIBED, Form.NAMED}
        yield claim


def is_about_work(claim: Claim) -> bool:
    """Whether it tells of the user's work or play with such things."""
    return claim.form is Form.DESCRIBED and "topic" in claim.cues


def _sentences(reading: CueReading) -> Iterator[tuple[int, int]]:
    """The words of each sentence; none ends behind an initial or an ordinal ("am 7. und")."""
    begun = None
    for start, end in reading.words.sentences:
        begun = start if begun is None else begun
        if not _goes_on(reading.words.raw, end):
            yield begun, end
            begun = None
    if begun is not None:
        yield begun, len(reading)


def _goes_on(words: Sequence[str], end: int) -> bool:
    """Whether the stop behind a word belongs to it."""
    if _INITIAL.fullmatch(words[end - 1]):
        return True
    return words[end - 1].isdecimal() and end < len(words) and words[end][:1].islower()


def _claim(reading: CueReading, start: int, end: int, *, follows: bool) -> Claim:
    span = reading.span(start, end)
    whole = reading.spoken(start, end)
    predicate = _predicate(reading, start, end)
    if predicate is None and follows and reading.ends("third", start):
        predicate = start + 1
    if predicate is None:
        form = Form.FIRST if "me" in whole.cues else _other_form(reading, start)
        return Claim(whole, whole.cues, form, span)
    unquoted = _unquoted(whole)
    if unquoted is not None:
        return Claim(unquoted, unquoted.cues - {"user"}, Form.DESCRIBED, span)
    return Claim(whole, reading.cues(predicate, end), Form.DESCRIBED, span)


def _unquoted(whole: Utterance) -> Utterance | None:
    """The sentence of a user who works with such texts, without what it quotes."""
    bare = _QUOTED.sub(" ", whole.text)
    if bare == whole.text:
        return None
    reading = CueReading(bare)
    said = reading.spoken(0, len(reading))
    return None if said.cues.isdisjoint(_WORK) else said


def _other_form(reading: CueReading, start: int) -> Form:
    named = _NAME.fullmatch(reading.words.raw[start]) and not reading.begins(start)
    return Form.NAMED if named else Form.BARE


def _predicate(reading: CueReading, start: int, last: int) -> int | None:
    """The word after "the user" at the start, or None without them.

    "customer" and "owner" do not count: users do not call themselves that.
    """
    noun = reading.ends("article", start) or start
    end = reading.ends("user", noun)
    if end and not reading.ends("holder", noun):
        return end
    return _possession(reading, start, last)


def _possession(reading: CueReading, start: int, last: int) -> int | None:
    """The word after "the sister of the user" at the start; None without them or for an order."""
    for word in range(start + 1, min(last, start + _SUBJECT_WORDS + 1)):
        of = reading.ends("possessive", word)
        end = (reading.ends("user", of) or reading.ends("user", word)) if of else 0
        if end:
            return end if reading.cues(start, word).isdisjoint(_ORDERED) else None
    return None
