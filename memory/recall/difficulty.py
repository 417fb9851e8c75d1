"""Whether one search is enough for a question, or a model should judge what it found. Pure.

Simple look-ups, which are most, stay one search: the best memory is sure, and the question asks for
one thing. Only shapes are read, no words of a language.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum

from ..language import index_terms, is_question, names_in, sentences, words_of

SURE = 0.5
"""The score from which on a chat would get a memory."""
MOST_TERMS = 10
"""Of a question for one thing."""
PARTS = 2


class Hardness(StrEnum):
    """Why one search may not be enough."""

    UNSURE = "unsure"
    """Nothing that was found is sure to answer."""
    SEVERAL = "several"
    """It asks more than once, or is long."""
    APART = "apart"
    """It names what no single sure memory names, so that several have to be joined."""


def hardness(question: str, found: Sequence[tuple[str, float]]) -> Hardness | None:
    """Why what was found for a question has to be judged; None for a simple look-up.

    `found` are texts with their scores, best first.
    """
    sure = [text for text, score in found if score >= SURE]
    if not sure:
        return Hardness.UNSURE
    asked = sum(map(is_question, sentences(question)))
    if asked >= PARTS or len(set(index_terms(question).terms)) > MOST_TERMS:
        return Hardness.SEVERAL
    names = names_in(question)
    if len(names) >= PARTS and not any(_has_all(text, names) for text in sure):
        return Hardness.APART
    return None


def _has_all(text: str, names: Collection[str]) -> bool:
    """Whether a text has all names, in any case and with any ending."""
    words = words_of(text).folded
    return all(any(word.startswith(name) for word in words) for name in names)
