"""Finds the key terms of a message."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from recollect.memory.language import is_unspaced
from recollect.memory.language.requests import CueScan, cues_of

from .selfcontained import content_words

_NAME, _NUMBER, _WORD = 2, 2, 1
_MAX_RUN = 12
"""Longest run of CJK characters taken as one term."""
_MIN_LETTERS = 2


class Term(NamedTuple):
    """A key term as written, its form for comparison, and its weight."""

    text: str
    key: str
    weight: int


def key_terms(text: str) -> list[Term]:
    """The distinct content words of `text`, in order; runs of characters in CJK scripts."""
    found = cues_of(text)
    terms: dict[str, Term] = {}
    for term in _terms(found, text):
        terms.setdefault(term.key, term)
    return list(terms.values())


def _terms(found: CueScan, source: str) -> Iterator[Term]:
    for run in _runs(found, source):
        word = found.raw[run[0]]
        glue = "" if is_unspaced(word) else "-"
        text = glue.join(found.raw[i] for i in run)
        key = glue.join(found.words[i] for i in run)
        if is_unspaced(word):
            for start in range(0, len(text), _MAX_RUN):
                part = text[start : start + _MAX_RUN]
                yield Term(part, part, _WORD)
        elif len(text) >= _MIN_LETTERS or word.isdigit():
            yield Term(text, key, _weight(found, run[0]))


def _runs(found: CueScan, source: str) -> Iterable[list[int]]:
    """Indexes of content words; adjacent CJK characters and hyphenated words are joined."""
    run: list[int] = []
    for index in content_words(found):
        joins = (
            run
            and index == run[-1] + 1
            and index not in found.clause_starts
            and _joins(found.raw[index - 1], found.raw[index], source)
        )
        if not joins and run:
            yield run
            run = []
        run.append(index)
    if run:
        yield run


def _joins(left: str, right: str, source: str) -> bool:
    if is_unspaced(right):
        return is_unspaced(left)
    return f"{left}-{right}" in source


def _weight(found: CueScan, index: int) -> int:
    word = found.raw[index]
    if any(map(str.isdigit, word)):
        return _NUMBER
    return _NAME if word[0].isupper() and index not in found.clause_starts else _WORD


def choose(terms: Sequence[Term], limit: int) -> list[Term]:
    """The `limit` terms of highest weight, later ones first among equals, in original order."""
    ranked = sorted(range(len(terms)), key=lambda i: (terms[i].weight, i), reverse=True)
    return [terms[i] for i in sorted(ranked[:limit])]
