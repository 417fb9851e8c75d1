"""Names in a text whose script has capitals: where they stand, and whether it is sure they are."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ...language import is_shouting, packs
from .annotated_text import AnnotatedText
from .function_words import widespread_stop
from .keys import is_title

MOST_WORDS = 5
"""Of one name."""
_JOINED = re.compile(r"[ \u00a0]|-|\. ?| ?& ?|['\u2019]")
"""What may stand between two words of one name."""
_AND = re.compile(r" ?& ?")
_CLOSED = re.compile(r"[^.!?\n,]{3,60},")
_COMMA = re.compile(r"^[,\uff0c\u060c]")


@dataclass(frozen=True, slots=True)
class NameSpan:
    """A name in a text, by its words."""

    start: int
    end: int
    """The index of the word behind it."""
    sure: bool = True
    """Whether something new is made of it; else it is a mention only if it is known."""
    subject: bool = False
    """Whether the sentence is about it: it begins it, or a clause, and something is said of it."""
    person: bool = False
    """Whether what stands around it tells that it is somebody."""


def cased_names(text: AnnotatedText) -> list[NameSpan]:
    """All names that a capital tells, in reading order, without overlaps."""
    if is_shouting(text.words.raw):
        return []
    nouns = any(packs()[code].words.capitalised_nouns for code in text.languages if code in packs())
    found, at = [], 0
    while at < len(text.words.raw):
        if not _may_begin(text, at):
            at += 1
            continue
        end = _end(text, at, nouns)
        span = (
            _first(text, at, end) if at in text.sentence_starts else _inside(text, at, end, nouns)
        )
        if span is not None:
            person = text.is_kin_word(span.start)
            found.append(replace(span, person=True) if person else span)
        at = end
    return found


def _may_begin(text: AnnotatedText, at: int) -> bool:
    return (
        _is_capital(text, at)
        and not text.is_stop(at)
        and not text.words.raw[at].endswith(("'", "\u2019"))
        and _may_be(text, at)
    )


def _may_be(text: AnnotatedText, at: int) -> bool:
    """Whether a word is no time, and neither the user nor what somebody is to somebody."""
    word = text.word(at)
    return (
        word not in text.small.times
        and word.removesuffix("s") not in text.small.times
        and at not in text.mine
        and (not text.is_kin_word(at) or _is_address(text, at))
    )


def _is_address(text: AnnotatedText, at: int) -> bool:
    """Whether a term for a relative is part of a name: "Onkel Rolf", "Frau Weber"."""
    raw = text.words.raw
    if (
        text.small.inflects
        or text.kin.get(at) != at + 1
        or not raw[at][0].isupper()
        or at + 1 >= len(raw)
    ):
        return False
    if not raw[at + 1][0].isupper() or text.between(at, at + 1) != " " or text.is_stop(at + 1):
        return False
    before = [word for word in (at - 1, at - 2) if word >= 0]
    return not any(word in text.mine or text.is_genitive(word) for word in before) and not (
        before and (_is_owner(text, at - 1) or raw[at - 1][0].isupper())
    )


def _is_owner(text: AnnotatedText, at: int) -> bool:
    """Whether a function word is an article, or the possessive of somebody: no preposition."""
    word = text.word(at)
    return text.is_stop(at) and (not text.is_before(at) or word in text.small.articles)


def _is_capital(text: AnnotatedText, at: int) -> bool:
    word = text.words.raw[at]
    return word[0].isupper() and text.is_cased(at) and (len(word) > 1 or _is_initial(text, at))


def _is_initial(text: AnnotatedText, at: int) -> bool:
    """Whether a single letter is one: "A. Schmidt", "Anna S."."""
    following = at + 1 < len(text.words.raw) and text.words.raw[at + 1][0].isupper()
    return text.text[text.words.ends[at] :].startswith(".") or following


def _end(text: AnnotatedText, start: int, nouns: bool) -> int:
    """Where the name ends that begins at `start`."""
    end, size = start + 1, len(text.words.raw)
    while end < min(size, start + MOST_WORDS):
        joint = text.between(end - 1, end)
        if not _JOINED.fullmatch(joint) or (joint.startswith(".") and not _may_dot(text, end - 1)):
            break
        if _continues(text, end):
            end += 1
        elif not nouns and "&" not in joint and _is_particle(text, end):
            end += 2
        else:
            break
    return min(end, size)


def _may_dot(text: AnnotatedText, at: int) -> bool:
    """Whether a full stop behind a word ends no sentence: an initial, a title."""
    word = text.words.raw[at]
    return len(word) == 1 or is_title(word)


def _continues(text: AnnotatedText, at: int) -> bool:
    word = text.words.raw[at]
    return (
        (word[0].isupper() or _AND.fullmatch(text.between(at - 1, at)) is not None)
        and not text.is_genitive(at)
        and (_may_be(text, at) or "&" in text.between(at - 1, at))
    )


def _is_particle(text: AnnotatedText, at: int) -> bool:
    """Whether a word in lower case stands inside a name: "Leonardo da Vinci"."""
    return (
        at + 1 < len(text.words.raw)
        and text.word(at) in text.small.particles
        and text.words.raw[at].islower()
        and text.words.raw[at + 1][0].isupper()
        and text.between(at, at + 1) == " "
        and not text.is_kin_word(at + 1)
    )


def _first(text: AnnotatedText, start: int, end: int) -> NameSpan | None:
    """A name at the beginning of a sentence, where every word has a capital."""
    if end - start > 1:
        return _several(text, start, end)
    word = text.word(start)
    if end < len(text.words.raw) and not text.is_cased(end) and text.words.raw[end][0].isalpha():
        return NameSpan(start, end, subject=True)  # in a text of another script
    if word in text.small.common or word in widespread_stop() or "'" in word:
        return NameSpan(start, end, sure=False, subject=True)
    # Talk begins with words that look like it: "Sounds great!", "Life's good. How are you?"
    sure = not text.is_chat and (text.is_genitive(end) or _says_of(text, end))
    return NameSpan(start, end, sure=sure, subject=True)


def _several(text: AnnotatedText, start: int, end: int) -> NameSpan:
    """Two words and more: "Met Giorgi in Tbilisi" begins with a verb, "Hester Quill paints" not."""
    common = text.word(start) in text.small.common and len(text.word(start)) > 1
    if start in text.greeting or (common and not is_title(text.words.raw[start])):
        return NameSpan(start + 1, end, person=start in text.greeting)
    whole = end == len(text.words.raw) and start == 0
    whole = whole or text.is_genitive(end)
    comma = _COMMA.match(text.text[text.words.ends[end - 1] :]) is not None
    linked = _AND.search(text.surface(start, end)) is not None
    titled = is_title(text.words.raw[start])
    if whole or comma or linked or titled or _is_verb(text, end):
        return NameSpan(start, end, subject=True)
    return NameSpan(start + 1, end)


def _is_verb(text: AnnotatedText, at: int) -> bool:
    """Whether the word in lower case after a name says something of it, and is no preposition.

    Of a word that is a preposition in one language and an everyday word of another ("met"), the
    latter.
    """
    if text.ends_clause(at) and not _goes_on(text, at):
        return False
    if not text.words.raw[at][0].islower() and text.is_cased(at):
        return False
    small = text.is_before(at) or text.joins(at)
    return not small or text.word(at) in text.small.common


def _goes_on(text: AnnotatedText, at: int) -> bool:
    """Whether the full stop before a word ends no sentence: "Priya R. grows leeks"."""
    return at < len(text.words.raw) and _may_dot(text, at - 1) and text.between(at - 1, at) == ". "


def _says_of(text: AnnotatedText, end: int) -> bool:
    """Whether a single first word is what the sentence is about."""
    if text.joins(end):
        return end + 1 < len(text.words.raw) and (
            end + 1 in text.mine or text.words.raw[end + 1][0].isupper()
        )
    if _COMMA.match(text.text[text.words.ends[end - 1] :]):
        return _is_explained(text, end)
    return _is_verb(text, end)


def _is_explained(text: AnnotatedText, at: int) -> bool:
    """Whether words between commas follow, or a clause about it: "Camilo, el hijo de Eva, guía"."""
    if text.word(at) in text.small.articles or at in text.mine or at in text.kin:
        return True
    rest = text.text[text.words.starts[at] :] if at < len(text.words.raw) else ""
    return _CLOSED.match(rest) is not None


def _inside(text: AnnotatedText, start: int, end: int, nouns: bool) -> NameSpan | None:
    """A name that is not at the beginning of a sentence."""
    if end - start == 1 and text.word(end).isdigit() and not text.ends_clause(end):
        return NameSpan(start, end, sure=False)
    before = text.word(start - 1)
    begins = start in text.words.clause_starts and _is_verb(text, end)
    if not nouns or end - start > 1 or text.is_genitive(end):
        return NameSpan(start, end, subject=begins)
    plain = before in text.small.articles or start - 1 in text.mine or before.isdigit()
    return NameSpan(start, end, sure=not plain, subject=begins)
