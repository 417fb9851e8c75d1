"""Names in scripts without capitals: only where what stands around them tells one.

Beside a term for a relative, with a particle for names (さん), in Katakana, in the brackets of a
title, or as a Latin word. All other words may be names that are known already, and make nothing
new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...language.scripts import HAN, KATAKANA
from .annotated_text import NAMED, AnnotatedText
from .cased_names import NameSpan, cased_names

MOST_MAYBE = 60
"""Words of a text that are looked up because they may be known names."""
_HAN = re.compile(f"[{HAN}]")
_KATAKANA = re.compile(f"[{KATAKANA}]")
_HIRAGANA = re.compile("[\u3041-\u309f]")
_OPEN, _CLOSE = "《『", "》』"
_GRAMS = (4, 3, 2)
_LEAST_KATAKANA = 2
_MOST_TITLE = 20
_LEAST_WORD = 2
_PRESENT, _LEAST_VERB = "\u064a\u062a", 3
"""The letters that an Arabic verb in the present begins with, of a third person."""


def all_names(text: AnnotatedText) -> list[NameSpan]:
    """The names that a text tells, whatever its script, in reading order without overlaps."""
    found = [
        *cased_names(text),
        *_titles(text),
        *_katakana(text),
        *_titled(text),
        *_beside(text),
        *_called(text),
    ]
    taken: set[int] = set()
    kept = []
    for span in sorted(found, key=_first):
        if not taken.intersection(range(span.start, span.end)):
            taken.update(range(span.start, span.end))
            kept.append(span)
    return sorted(kept, key=lambda one: one.start)


def _first(span: NameSpan) -> tuple[bool, bool, int, int]:
    """Of names that overlap, the sure and the longer one stays."""
    return not span.sure, not span.person, span.start - span.end, span.start


def maybe_names(text: AnnotatedText, names: Sequence[NameSpan]) -> list[NameSpan]:
    """Words that are mentions only if they are known."""
    taken = {i for name in names for i in range(name.start, name.end)}
    taken |= {i for i in range(len(text.words.raw)) if text.is_kin_word(i) or i in text.mine}
    found: list[NameSpan] = []
    for span in _maybe(text):
        if len(found) >= MOST_MAYBE:
            break
        last = span.end - 1
        free = span.start not in taken and (last not in taken or text.is_kin_word(last))
        if free:
            found.append(span)
    return found


def _maybe(text: AnnotatedText) -> Iterator[NameSpan]:
    lower = not any(word[0].isupper() for word in text.words.raw)
    for at, word in enumerate(text.words.raw):
        if _HAN.match(word) or _KATAKANA.match(word):
            yield from _grams(text, at)
        elif (lower or not text.is_cased(at)) and _may_name(text, at):
            if _may_name(text, at + 1) and at + 1 not in text.words.clause_starts:
                yield NameSpan(at, at + 2, sure=False)
            yield NameSpan(at, at + 1, sure=False)


def _may_name(text: AnnotatedText, at: int) -> bool:
    return (
        at < len(text.words.raw)
        and len(text.words.raw[at]) >= _LEAST_WORD
        and text.words.raw[at][0].isalpha()
        and not text.is_stop(at)
        and text.word(at) not in text.small.common
    )


def _grams(text: AnnotatedText, at: int) -> Iterator[NameSpan]:
    """Two to four characters in a row, without function words."""
    end = at
    while end < min(len(text.words.raw), at + _GRAMS[0]) and _is_character(text, end, at):
        end += 1
    yield from (NameSpan(at, at + size, sure=False) for size in _GRAMS if at + size <= end)


def _is_part(text: AnnotatedText, at: int, start: int) -> bool:
    """Whether a character may go on a new name: it is part of no term for a relative."""
    return not text.is_kin_word(at) and _is_character(text, at, start)


def _is_character(text: AnnotatedText, at: int, start: int) -> bool:
    """Whether a character may go on a name: Han or Katakana, no function word."""
    raw = text.words.raw[at]
    return (
        (_HAN.match(raw) is not None or _KATAKANA.match(raw) is not None)
        and not text.is_stop(at)
        and at not in text.mine
        and (at == start or (at not in text.words.clause_starts and _joined(text, at)))
    )


def _joined(text: AnnotatedText, at: int) -> bool:
    return text.words.ends[at - 1] == text.words.starts[at]


def _run(text: AnnotatedText, start: int, most: int = 5) -> int:
    """Where a run of characters that may be a name ends."""
    end = start
    while end < len(text.words.raw) and end - start < most and _is_part(text, end, start):
        end += 1
    return end


def _katakana(text: AnnotatedText) -> Iterator[NameSpan]:
    """Foreign names and words in Japanese."""
    at = 0
    while at < len(text.words.raw):
        end = at
        while (
            end < len(text.words.raw)
            and _KATAKANA.match(text.words.raw[end])
            and (end == at or _joined(text, end))
        ):
            end += 1
        if end - at >= _LEAST_KATAKANA:
            yield NameSpan(at, end)
        at = max(end, at + 1)


def _titled(text: AnnotatedText) -> Iterator[NameSpan]:
    """With a particle behind the name: 田中さん. With a term for people: 龚阿姨, 王老师."""
    for at in range(1, len(text.words.raw)):
        if not text.is_unspaced(at) or not _joined(text, at):
            continue
        if any(text.text.startswith(one, text.words.starts[at]) for one in text.small.behind):
            if (start := _run_before(text, at)) < at:
                yield NameSpan(start, at, subject=True, person=True)
        elif at in text.kin and text.is_unspaced(at):
            start = _run_before(text, at)
            long = text.kin[at] - at >= _LEAST_WORD
            if long and 0 < at - start <= _LEAST_WORD and not _HIRAGANA.match(text.words.raw[at]):
                yield NameSpan(start, text.kin[at], subject=True, person=True)


def _run_before(text: AnnotatedText, at: int) -> int:
    start = at
    while start > 0 and at - start < _GRAMS[0] and _is_part(text, start - 1, start - 1):
        if start != at and not _joined(text, start):
            break
        start -= 1
        if start in text.words.clause_starts:
            break
    written = "".join(text.words.raw[start:at])
    day = next((one for one in text.small.days if written.startswith(one)), "")
    return start + len(day)


def _beside(text: AnnotatedText) -> Iterator[NameSpan]:
    """Right behind a term for a relative, or before "'s" and one."""
    for term, end in text.kin.items():
        if text.is_unspaced(term):
            yield from _beside_characters(text, term, end)
        elif not text.is_cased(term):
            if _names_relative(text, end):
                yield NameSpan(end, end + 1, subject=True, person=True)
            if text.word(term - 1) in text.small.owning and _may_own(text, term - 2):
                yield NameSpan(term - 2, term - 1, person=True)


def _may_own(text: AnnotatedText, at: int) -> bool:
    """Whether the word before "'s" and a term for a relative is a name."""
    return at >= 0 and _may_name(text, at) and at not in text.mine and not text.is_kin_word(at)


def _beside_characters(text: AnnotatedText, term: int, end: int) -> Iterator[NameSpan]:
    at = end + (text.word(end) in text.small.owning and _is_kana(text, end))
    stop = _run(text, at)
    size = stop - at
    told = text.links(stop) or text.joins(stop) or _is_preposition(text, stop)
    if size == 3 and text.word(stop) in text.small.inside:  # noqa: PLR2004 - 李娜住 + 在
        stop -= 1
    if 2 <= size <= 3 and told and not _is_known_word(text, at, stop):  # noqa: PLR2004 - of Han names
        yield NameSpan(at, stop, subject=True, person=True)
    mark = term - 1
    if mark > 0 and text.word(mark) in text.small.owning:
        start = _run_before(text, mark)
        if mark - start >= _LEAST_WORD:
            yield NameSpan(start, mark, subject=True, person=True)


def _is_preposition(text: AnnotatedText, at: int) -> bool:
    word = text.word(at)
    kana = at < len(text.words.raw) and _is_kana(text, at)
    return kana or (text.is_before(at) and word not in text.small.articles)


def _is_kana(text: AnnotatedText, at: int) -> bool:
    return _HIRAGANA.match(text.words.raw[at]) is not None


def _is_known_word(text: AnnotatedText, start: int, end: int) -> bool:
    """Whether the characters are an everyday word of the language room, or say when."""
    written = "".join(text.words.raw[start:end])
    return written in text.small.common or written in text.small.days


def _names_relative(text: AnnotatedText, at: int) -> bool:
    """Whether the word behind a term for a relative is its name (Hindi, Arabic).

    It is if a particle for the subject or the object follows it, or what follows it is a place.
    """
    if text.ends_clause(at) or not _may_name(text, at) or text.is_kin_word(at):
        return False
    if text.ends_clause(at + 1):
        return False
    if text.is_stop(at + 1):
        return text.word(at + 1) not in text.small.inside and text.small.verbs_last
    if not text.ends_clause(at + 2) and text.word(at + 2) in text.small.inside:
        return True
    return _is_present(text, at + 1) and not _is_present(text, at)


def _is_present(text: AnnotatedText, at: int) -> bool:
    """Whether an Arabic word has the prefix of a verb in the present."""
    word = text.words.raw[at]
    return word[0] in _PRESENT and len(word) >= _LEAST_VERB


def _called(text: AnnotatedText) -> Iterator[NameSpan]:
    """Behind a word for naming that is said of a relative: "my sister, her name is Sara"."""
    ends = set(text.kin.values())
    for hit in text.hits.get(NAMED, ()):
        at = hit.end
        if hit.start not in ends or text.ends_clause(at) or text.is_cased(at):
            continue
        if text.is_unspaced(at):
            stop = _run(text, at)
            if 2 <= stop - at <= 3:  # noqa: PLR2004 - of Han names
                yield NameSpan(at, stop, subject=True, person=True)
        elif _may_name(text, at):
            yield NameSpan(at, at + 1, subject=True, person=True)


def _titles(text: AnnotatedText) -> Iterator[NameSpan]:
    """In the brackets of a title: 《三体》."""
    for opened in re.finditer(
        f"[{_OPEN}]([^{_OPEN}{_CLOSE}\n]{{1,{_MOST_TITLE}}})[{_CLOSE}]", text.text
    ):
        start, end = opened.span(1)
        inside = [i for i, at in enumerate(text.words.starts) if start <= at < end]
        if inside:
            yield NameSpan(inside[0], inside[-1] + 1)
