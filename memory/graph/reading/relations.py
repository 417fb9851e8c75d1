"""How two names of a sentence are connected by the words between them: "Alice works at Google"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from .names import Span
from .told import Told

MOST_WORDS = 4
"""Between two names that are connected by them."""
MOST_CHARS = 60
"""Of a relation."""


def between(text: Told, names: Sequence[Span]) -> Iterator[tuple[int, str, int]]:
    """Pairs of names by their places, with the words between: the verb of one and the other.

    In languages whose verb stands between a subject and what it is about.
    """
    for place, (one, other) in enumerate(pairwise(names)):
        if one.sure and other.sure and one.subject and _is_verb(text, one.end, other.start):
            yield place, relation_of(text.words.folded[one.end : other.start]), place + 1


def _is_verb(text: Told, start: int, end: int) -> bool:
    if not 0 < end - start <= MOST_WORDS or text.is_genitive(start):
        return False
    words = range(start, end)
    if any(at in text.words.clause_starts for at in (*words, end)):
        return False
    if not all(text.words.raw[at].islower() and text.is_cased(at) for at in words):
        return False
    if any(text.joins(at) or at in text.mine for at in words):
        return False
    return text.word(start) not in text.small.before and not all(map(text.is_kin_word, words))


def relation_of(words: Sequence[str]) -> str:
    """Words as the name of a relation: lower case with underscores; "" if there are none."""
    kept = ["".join(c for c in word.casefold() if c.isalnum() or c in "-'") for word in words]
    joined = "_".join(
        filter(None, ("_".join(word.replace("-", "_").replace("'", "").split()) for word in kept))
    )
    return joined[:MOST_CHARS]


def of_kin(word: str) -> str:
    """The relation of somebody to whom they are something to: ``sister_of``."""
    return relation_of([*word.split(), "of"])
