"""Tells by meaning whether a sentence with a word for forgetting is a request to forget.

As `recall/prototypes`, it compares with English sentences of both kinds, across languages.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Self

import numpy as np

from ...calibration import SAFE, Calibration
from ...language.message.forgetting import Forget, Scale
from ...model.ports import Embedder
from ...model.types import Vector
from ...recall.example_vectors import ExampleVectors
from ...recall.prototypes import Kinds, languages_known, nearness
from .examples import EVERYTHING, OTHERS, RECENT, SOME

SURE = 0.04
"""How much nearer a sentence is to requests to forget than to all others, to be surely one."""
POSSIBLE = -0.06
"""The same for one that may be: it counts if something is stored that it is about."""
ALL = 0.05
"""How much nearer it is to "everything" than to "something"."""


_DIFFER = 0.1255
"""The standard deviation of USE's cosines of "something" and all others: the margins are on its
scale."""


class Certainty(IntEnum):
    """How sure it is that a sentence asks to forget."""

    NO = 0
    POSSIBLE = 1
    """If something is stored that it is about."""
    SURE = 2


@dataclass(frozen=True, slots=True)
class ForgetExamples:
    """The example sentences by meaning."""

    part: slice
    languages: frozenset[str]
    """In which cosines to English sentences tell anything; empty for an unmeasured embedder."""
    kinds: Kinds
    unit: float
    """How much an embedder's cosines differ, in those of USE."""

    @classmethod
    async def of(cls, embedder: Embedder, calibration: Calibration) -> Self:
        """Of about 70 short texts, which USE need not embed. Raises EmbeddingError."""
        vectors = ExampleVectors(embedder)
        languages = frozenset[str]() if calibration == SAFE else languages_known(calibration)
        kinds = [await vectors.of(texts) for texts in (SOME, RECENT, EVERYTHING, OTHERS)]
        unit = float((kinds[0] @ kinds[-1].T).std()) / _DIFFER
        return cls(vectors.part, languages, Kinds.of(*kinds), unit)

    def judge(self, asked: Forget, vector: Vector) -> tuple[Certainty, Scale]:
        """How sure a sentence asks to forget, and how much. Pure."""
        if asked.language not in self.languages:
            return _by_words(asked)
        own = vector[self.part]
        own = own / np.float32(float(np.linalg.norm(own)) * self.unit or 1.0)
        some, recent, every, others = map(nearness, self.kinds.cosines(own))
        margin = max(some, recent, every) - others
        plain = asked.leads or asked.marked
        if margin < (POSSIBLE if plain else SURE):
            return Certainty.NO, asked.scale
        if margin < SURE or not (asked.leads and asked.marked):
            return Certainty.POSSIBLE, Scale.SOME
        return Certainty.SURE, _scale(asked, every - some, recent - every)


def _by_words(asked: Forget) -> tuple[Certainty, Scale]:
    """Without meaning, only the plainest form counts, and is surely one if it is of all."""
    if not asked.orders:
        return Certainty.NO, asked.scale
    whole = asked.scale is Scale.EVERYTHING and asked.every
    return Certainty.SURE if whole else Certainty.POSSIBLE, asked.scale


def _scale(asked: Forget, everything: float, recent: float) -> Scale:
    """In doubt it is less."""
    if asked.scale is Scale.RECENT or (asked.scale is Scale.EVERYTHING and recent > 0):
        return Scale.RECENT
    if everything >= ALL and (asked.every or asked.scale is Scale.EVERYTHING):
        return Scale.EVERYTHING
    return Scale.SOME
