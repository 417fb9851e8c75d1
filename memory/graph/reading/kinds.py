"""What a name names: told by what stands around it, or guessed."""

from __future__ import annotations

from ...model.claims import EntityKind
from .names import Span
from .told import HOME, Told

_WORK, _HOME = "work", "home"
"""Traits of a statement by meaning (`recall.prototypes`)."""


def kind_of(text: Told, span: Span, *, person: bool, trait: str = "") -> tuple[EntityKind, bool]:
    """The kind of a name, and whether it is told by the text.

    `person`: it has a title, a relative or an owner; `trait`: what the statement is about.
    """
    if person:
        return EntityKind.PERSON, True
    if _is_home(text, span):
        return EntityKind.PLACE, True
    if _is_sign(text, span):
        return EntityKind.ORGANIZATION, False
    if _is_inside(text, span):
        return EntityKind.PLACE, False
    if _is_employer(text, span, trait):
        return EntityKind.ORGANIZATION, False
    return (EntityKind.PERSON if _is_somebody(text, span) else EntityKind.THING), False


def _is_home(text: Told, span: Span) -> bool:
    """Whether it follows words such as "lives in"."""
    return any(hit.end == span.start for hit in text.hits.get(HOME, ()))


def _is_sign(text: Told, span: Span) -> bool:
    """Whether it is written like a firm: "Skein & Able"."""
    return "&" in text.surface(span.start, span.end)


def _is_inside(text: Told, span: Span) -> bool:
    """Whether a preposition of place stands before it ("in"), or behind it (में)."""
    if text.small.verbs_last and not text.is_cased(span.start):
        return text.word(span.end) in text.small.inside
    follows = span.start not in text.words.clause_starts
    return follows and text.word(span.start - 1) in text.small.inside


def _is_employer(text: Told, span: Span, trait: str) -> bool:
    """Whether somebody does something at it: "works at Google"."""
    verb = span.start - 2
    if span.subject or verb < 0 or span.start in text.words.clause_starts:
        return False
    if not text.is_stop(span.start - 1) or text.joins(span.start - 1):
        return False
    if text.is_stop(verb) or not text.words.raw[verb][0].islower():
        return False
    return trait == _WORK or text.word(span.start - 1) in text.small.at


def _is_somebody(text: Told, span: Span) -> bool:
    """A guess: the subject of a sentence, or two words of which each begins with a capital."""
    if span.subject and span.sure:
        return True
    words = text.words.raw[span.start : span.end]
    article = text.word(span.start - 1) in text.small.articles | text.small.ones
    return len(words) == 2 and not article and all(word.istitle() for word in words)  # noqa: PLR2004
