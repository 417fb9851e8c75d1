"""Tells by meaning whether a sentence asks to forget something, and how much."""

from __future__ import annotations

from enum import IntEnum

from ...language.message.forgetting import Forget, Scale
from ...model.types import Vector
from .linear_heads import LinearHeads

SURE = 1.0
"""Log odds from which a sentence surely asks."""
POSSIBLE, ORDERED = -1.0, -2.0
"""The same of one that may ask, and if its words order it: it counts if something is stored that it
is about."""
WORTH_READING = -3.0
"""The same of a message, of which a sentence may ask."""
WHOLE, WHOLE_UNSAID = -2.0, 0.0
"""The same for everything, if the words allow it, and if they say nothing."""


class Certainty(IntEnum):
    """The certainty that a sentence asks to forget."""

    NO = 0
    POSSIBLE = 1
    """If something is stored that it is about."""
    SURE = 2


def judge(heads: LinearHeads | None, asked: Forget, vector: Vector) -> tuple[Certainty, Scale]:
    """How sure a sentence asks to forget, and how much. Pure."""
    if heads is None:
        return _by_words(asked)
    signs = asked.signs()
    score = heads.score("asks", vector, signs)
    if score < (ORDERED if asked.worded and asked.orders else POSSIBLE):
        return Certainty.NO, asked.scale
    whole = heads.score("whole", vector, signs)
    return (Certainty.SURE if score >= SURE else Certainty.POSSIBLE), _scale(asked, whole)


def may_ask(heads: LinearHeads, asked: Forget, vector: Vector) -> bool:
    """Whether a sentence of a message may ask, by the message as a whole. Pure."""
    return heads.score("asks", vector, asked.signs()) >= WORTH_READING


def _by_words(asked: Forget) -> tuple[Certainty, Scale]:
    """Without meaning, only the plainest form counts, and is surely one if it is of all."""
    if not asked.orders:
        return Certainty.NO, asked.scale
    whole = asked.scale is Scale.EVERYTHING and asked.every
    return Certainty.SURE if whole else Certainty.POSSIBLE, asked.scale


def _scale(asked: Forget, whole: float) -> Scale:
    """In doubt it is less: who names something does not mean everything."""
    if asked.scale is Scale.RECENT:
        return Scale.RECENT
    if asked.names or asked.but is not None:
        return Scale.SOME
    least = WHOLE if asked.scale is Scale.EVERYTHING else WHOLE_UNSAID
    return Scale.EVERYTHING if whole >= least else Scale.SOME
