# ruff: noqa: RUF001 - quotation marks of all scripts are meant
"""A sentence of a candidate: whether it states something about the user or orders something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import regex

from .reading import CueReading, Utterance

_SUBJECT_WORDS = 4
"""Most words before the user at the start of a claim: "The oldest sister of the user"."""
_ORDERED = frozenset({"send", "hide"})
"""Cues that make the words before the user an order."""
_QUOTED = regex.compile(
    r"“[^”]*”|«[^»]*»|„[^“”]*[“”]|「[^」]*」|『[^』]*』|\"[^\"]*\"|`[^`]*`|‘[^’]*’"
    r"|(?<![\p{L}\p{N}])'(?:[^']|(?<=\p{L})'(?=\p{L}))*'(?!\p{L})"
)
_WORK = frozenset({"topic", "process"})
_INITIAL = regex.compile(r"\p{Lu}")


class Form(StrEnum):
    """How a sentence begins."""

    DESCRIBED = "described"
    """With the user, as a claim about them."""
    FIRST = "first"
    """It speaks in the first person."""
    ORDER = "order"
    """With neither, and with a cue as its first word: "Always send ..."."""
    OTHER = "other"
    """With none of these: a claim about somebody or something else."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of a candidate."""

    spoken: Utterance
    form: Form
    span: tuple[int, int]
    """Its characters in the candidate."""

    @property
    def cues(self) -> frozenset[str]:
        return self.spoken.cues


def claims(text: str) -> Iterator[Claim]:
    """The sentences of `text`, in order; their spans cover it."""
    reading = CueReading(text)
    for start, end in _sentences(reading):
        yield _claim(reading, start, end)


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


def _claim(reading: CueReading, start: int, end: int) -> Claim:
    spoken = reading.spoken(start, end)
    if _describes(reading, start, end):
        return Claim(_unquoted(spoken) or spoken, Form.DESCRIBED, reading.span(start, end))
    form = Form.ORDER if reading.begins(start) else Form.OTHER
    return Claim(spoken, Form.FIRST if "me" in spoken.cues else form, reading.span(start, end))


def _describes(reading: CueReading, start: int, end: int) -> bool:
    """Whether the user stands at its start, with nothing that orders before them."""
    for word in range(start, min(end, start + _SUBJECT_WORDS + 1)):
        if reading.has("user", word):
            return reading.cues(start, word).isdisjoint(_ORDERED)
    return False


def _unquoted(whole: Utterance) -> Utterance | None:
    """The sentence of a user who works with such texts, without what it quotes."""
    bare = _QUOTED.sub(" ", whole.text)
    if bare == whole.text:
        return None
    reading = CueReading(bare)
    said = reading.spoken(0, len(reading))
    return None if said.cues.isdisjoint(_WORK) else said
