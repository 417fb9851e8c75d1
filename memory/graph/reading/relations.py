"""Reads the relation between two names of a sentence: "Alice works at Google"."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

import regex

from .annotated_text import AnnotatedText
from .cased_names import NameSpan

_OTHERS = regex.compile(r"[^\p{L}\p{M}\p{N}]+")
MOST_WORDS = 4
"""Between two names that are connected by them."""
MOST_CHARS = 60
"""Of a relation."""


def between(
    text: AnnotatedText, names: Sequence[NameSpan], subjects: Collection[int]
) -> Iterator[tuple[int, str, int]]:
    """Pairs of names by their places, with the words between: the verb of one and the other.

    In languages whose verb stands between a subject and what it is about. `subjects` are names
    that a sentence is about, besides those that begin it.
    """
    for place, (one, other) in enumerate(pairwise(names)):
        if not (one.sure and other.sure and _is_verb(text, one.end, other.start)):
            continue
        if one.subject or place in subjects or _acts(text, one):
            yield place, relation_of(text.words.folded[one.end : other.start]), place + 1


def _acts(text: AnnotatedText, name: NameSpan) -> bool:
    """Whether a name inside a sentence does what follows: "I hear Alice runs Google"."""
    return not text.is_before(name.start - 1) and not text.is_stop(name.end)


def _is_verb(text: AnnotatedText, start: int, end: int) -> bool:
    if not 0 < end - start <= MOST_WORDS or text.is_genitive(start):
        return False
    words = range(start, end)
    if any(at in text.words.clause_starts for at in (*words, end)):
        return False
    if not all(text.words.raw[at].islower() and text.is_cased(at) for at in words):
        return False
    if any(text.joins(at) or at in text.mine for at in words):
        return False
    return not text.is_before(start) and not all(map(text.is_kin_word, words))


def relation_of(words: Sequence[str]) -> str:
    """Words as the name of a relation: lower case with underscores; "" if there are none."""
    spelled = "_".join(words).casefold().replace("'", "").replace("\u2019", "")
    return _OTHERS.sub("_", spelled).strip("_")[:MOST_CHARS]


def of_kin(word: str) -> str:
    """The relation of somebody to whom they are something to: ``sister_of``."""
    return relation_of([*word.split(), "of"])
