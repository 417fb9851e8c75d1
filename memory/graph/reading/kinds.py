"""Tells the kind of a name: by the words around it, or by a guess."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.claims import EntityKind
from .annotated_text import HOME, AnnotatedText
from .cased_names import NameSpan
from .keys import MAYBE, TITLED

_WORK, _HOME = "work", "home"
"""Traits of a statement by meaning (`recall.prototypes`)."""


def kind_of(
    text: AnnotatedText, span: NameSpan, *, person: bool, trait: str = "", whose: bool = False
) -> tuple[EntityKind, bool]:
    """The kind of a name, and whether it is told by the text.

    `person`: it has a title, a relative or an owner; `trait`: what the statement is about; `whose`:
    the text tells of a person, who works at something rather than something else does.
    """
    if person:
        return EntityKind.PERSON, True
    if _is_home(text, span):
        return EntityKind.PLACE, True
    if _is_sign(text, span):
        return EntityKind.ORGANIZATION, False
    if _is_employer(text, span, trait):
        return EntityKind.ORGANIZATION, whose
    if _is_inside(text, span):
        return EntityKind.PLACE, False
    return (EntityKind.PERSON if _is_somebody(text, span) else EntityKind.THING), False


def marks_of(text: AnnotatedText, span: NameSpan) -> Iterator[str]:
    """Further keys that what stands before a name tells of it.

    A title in lower case ("el señor Ramos"), and that it may be a place ("flights to Austin").
    """
    before, clause = span.start - 1, text.words.clause_starts
    if before < 0 or span.start in clause:
        return
    if text.word(before) in text.small.toward:
        yield MAYBE + EntityKind.PLACE.value
    if _is_lower_title(text, before):
        yield TITLED + text.word(before)


def _is_lower_title(text: AnnotatedText, at: int) -> bool:
    """Whether a word in lower case is a title: an article stands before it, and a name behind."""
    if at < 1 or at in text.words.clause_starts or at - 1 in text.mine:
        return False
    return (
        text.word(at - 1) in text.small.articles
        and text.words.raw[at].islower()
        and text.is_cased(at)
        and not text.is_stop(at)
        and not text.is_kin_word(at)
    )


def _is_home(text: AnnotatedText, span: NameSpan) -> bool:
    """Whether it follows words such as "lives in"."""
    return any(hit.end == span.start for hit in text.hits.get(HOME, ()))


def _is_sign(text: AnnotatedText, span: NameSpan) -> bool:
    """Whether it is written like a firm: "Skein & Able"."""
    return "&" in text.surface(span.start, span.end)


def _is_inside(text: AnnotatedText, span: NameSpan) -> bool:
    """Whether a preposition of place stands before it ("in"), or behind it (में)."""
    if text.small.verbs_last and not text.is_cased(span.start):
        return text.word(span.end) in text.small.inside
    follows = span.start not in text.words.clause_starts
    return follows and text.word(span.start - 1) in text.small.inside


def _is_employer(text: AnnotatedText, span: NameSpan, trait: str) -> bool:
    """Whether somebody does something at it: "works at Google"."""
    verb = span.start - 2
    if span.subject or verb < 0 or span.start in text.words.clause_starts:
        return False
    if not text.is_stop(span.start - 1) or text.joins(span.start - 1):
        return False
    if text.is_stop(verb) or not text.words.raw[verb][0].islower():
        return False
    return trait == _WORK or text.word(span.start - 1) in text.small.at


def _is_called(text: AnnotatedText, span: NameSpan) -> bool:
    """Whether somebody is addressed: "Hey Nate", "Thanks, Nate!"."""
    if span.start - 1 in text.greeting:
        return True
    begins, sign = span.start in text.words.clause_starts, text.words.ends[span.end - 1]
    return begins and text.ends_clause(span.end) and text.text[sign : sign + 1] in ("!", "?")


def _is_somebody(text: AnnotatedText, span: NameSpan) -> bool:
    """A guess: the subject of a sentence, behind "with", or two words that begin with capitals."""
    if span.subject and span.sure:
        return True
    if text.joins(span.start - 1) and span.start not in text.words.clause_starts:
        return True
    if _is_called(text, span):
        return True
    words = text.words.raw[span.start : span.end]
    article = text.word(span.start - 1) in text.small.articles | text.small.ones
    article = article and not text.links(
        span.start - 2
    )  # "a diretora \u00e9 a Gra\u00e7a Moutinho"
    return len(words) == 2 and not article and all(word.istitle() for word in words)  # noqa: PLR2004
