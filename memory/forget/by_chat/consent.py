"""Tells what an answer says to a proposal to forget: by its words, and by its meaning. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from ...language import language_of, query_terms
from ...language.message.consent import Reply, asks_to_forget
from ...model.types import Vector
from .linear_heads import LinearHeads

AGREES = -1.0
"""Log odds from which an answer with a word that agrees does."""
CLEARLY = 0.7
"""The same of one without such a word."""
PERHAPS = 0.0
"""The same of one that is asked again."""
SOME, NO_PART = -1.0, -4.0
"""The same of one that may mean only a part, and that surely does not."""
SURELY = 2.0
"""The same of one that agrees whatever a word in it may mean ("doe maar", "ja, gooi maar weg")."""
ASKS = 0.0
"""The same of the assistant's question, whether it is the one we told it to ask."""


class Consent(StrEnum):
    """The answer to a proposal."""

    YES = "yes"
    PART = "part"
    """It agrees to a part, or excepts one."""
    UNSURE = "unsure"
    """It may agree: it is asked again."""
    NO = "no"
    """It declines, or speaks of something else."""


def consent_of(
    answer: Reply, vectors: Sequence[Vector], heads: LinearHeads | None, *, ours: bool
) -> Consent:
    """What an answer says; `vectors` are those of the whole of it and of its first sentence.

    `ours`: the assistant asked what it was told to ask. What declines with any word declines.
    """
    if answer.elsewhere:
        return Consent.NO
    judged = _judged(answer, vectors, heads)
    if answer.denies and not answer.agrees:
        return Consent.NO
    if answer.denies or (answer.limits and not judged.surely):
        agrees = answer.agrees or answer.repeats or answer.every or judged.part
        return Consent.PART if agrees else Consent.NO
    if judged.yes and (ours or answer.repeats) and not answer.long:
        return Consent.YES
    return Consent.UNSURE if judged.yes or judged.perhaps else Consent.NO


class _Judged(NamedTuple):
    yes: bool
    perhaps: bool
    part: bool
    """It may mean only a part."""
    surely: bool
    """It agrees to all, whatever else its words may mean."""


def _judged(answer: Reply, vectors: Sequence[Vector], heads: LinearHeads | None) -> _Judged:
    if heads is None:
        return _Judged(answer.plain, answer.agrees, part=False, surely=False)
    signs = answer.signs()
    agrees = max(heads.score("agrees", vector, signs) for vector in vectors)
    part = heads.score("part", vectors[0], signs)
    yes = agrees >= (AGREES if answer.agrees else CLEARLY)
    perhaps = part >= SOME or answer.agrees or agrees >= PERHAPS
    surely = agrees >= SURELY and part < NO_PART
    return _Judged(yes and part < SOME, perhaps, part >= SOME, surely)


def is_ours(said: str, vector: Vector | None, heads: LinearHeads | None) -> bool:
    """Whether the assistant's last question is whether to forget: `vector` is that question's."""
    if asks_to_forget(said):
        return True
    return vector is not None and heads is not None and heads.score("questions", vector, ()) >= ASKS


def named_by(answer: Reply, lines: Sequence[str]) -> tuple[list[int], bool]:
    """The lines that an answer names by a word, and whether each of its words is in one of them."""
    languages = frozenset({language_of(answer.text), *map(language_of, lines), "en"})
    terms = set(query_terms(" ".join(answer.named), languages)) if answer.named else set()
    held = [terms & set(query_terms(line, languages)) for line in lines]
    return [at for at, found in enumerate(held) if found], terms == set().union(*held)
