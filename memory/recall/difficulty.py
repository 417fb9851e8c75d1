"""Decides whether one search is enough for a question, or a model judges what it found. Pure.

Simple look-ups, which are most, stay one search: the best memory is sure, and the question asks for
one thing. Only shapes are read, no words of a language.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum

from ..language import index_terms, is_question, names_in, query_terms, sentences, words_of

CLEAR = 0.8
"""The score that the best memory of a simple look-up has. Of 40 chains in a store of their language
34 are found whole with this, 32 with 0.6; of 40 direct questions of persons, 23 and 25 stay one
search."""
MOST_TERMS = 10
"""Of a question for one thing."""
PARTS = 2
LEFT = 2
"""Words of a question that no sure memory has, beside some that one has: they are probably about
something else that has to be found by it. All six chains of `chains.dev` that passed for simple
have them, and 2 of 28 simple questions of `persona.dev`."""


class Difficulty(StrEnum):
    """Why one search may not be enough."""

    UNSURE = "unsure"
    """Nothing that was found clearly answers."""
    SEVERAL = "several"
    """It asks more than once, or is long."""
    APART = "apart"
    """It names what no single sure memory names, so that several have to be joined."""
    PARTLY = "partly"
    """Sure memories have some of its words and not the others."""


def difficulty_of(question: str, found: Sequence[tuple[str, float]]) -> Difficulty | None:
    """Why what was found for a question has to be judged; None for a simple look-up.

    `found` are its lines, with their scores.
    """
    sure = [text for text, _ in found]
    if not any(score >= CLEAR for _, score in found):
        return Difficulty.UNSURE
    asked = sum(map(is_question, sentences(question)))
    if asked >= PARTS or len(set(index_terms(question).terms)) > MOST_TERMS:
        return Difficulty.SEVERAL
    names = names_in(question)
    if len(names) >= PARTS and not any(_has_all(text, names) for text in sure):
        return Difficulty.APART
    if _is_partly_held(question, sure):
        return Difficulty.PARTLY
    return None


def _is_partly_held(question: str, sure: Sequence[str]) -> bool:
    """Whether these texts have some words of the question, and lack several."""
    found = [index_terms(text) for text in sure]
    held = frozenset(term for one in found for term in one.terms)
    languages = {one.language for one in found}
    terms = [query_terms(word, languages) for word in words_of(question).raw]
    has = [any(term in held for term in own) for own in terms if own]
    return any(has) and has.count(False) >= LEFT


def _has_all(text: str, names: Collection[str]) -> bool:
    """Whether a text has all names, in any case and with any ending."""
    words = words_of(text).folded
    return all(any(word.startswith(name) for word in words) for name in names)
