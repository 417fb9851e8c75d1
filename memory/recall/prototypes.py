"""Tells by meaning what no list of words does: whom a request is for, what constrains, what wishes.

A text is compared with sentences of its kind and with those of the other kind (`examples`); the
margin between the nearest of either decides, so the scale of an embedder's cosines hardly matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from ..calibration import SAFE, Calibration
from ..embedders.halves import across_languages
from ..language.detect import UNKNOWN
from ..language.function_words import FALLBACK
from ..ports import Embedder
from ..types import Vector, Vectors
from .examples import CONSTRAINTS, IMPERSONAL, REQUESTS, STATEMENTS, WANTS, WISHES

LEAST_WORTH = 0.6
"""Of a language's cosines (`Scale.worth`), for its texts to be compared with English ones."""
ASKED = 0.03
"""How much nearer a request must be to those of a person than to impersonal ones (cosines)."""
STANDING = 0.05
"""The same of a statement to constraints and to other statements."""
WISHED = 0.05
"""The same of a text to wishes about answers and to everything else that is said."""
BESIDE = 0.08
"""Sentences that are nearly as near as the best count too (cosines)."""


@dataclass(frozen=True, slots=True)
class Prototypes:
    """The sentences by meaning."""

    part: slice
    """The numbers of a vector that are compared."""
    languages: frozenset[str]
    requests: Vectors
    topics: tuple[str, ...]
    """Of each request."""
    impersonal: Vectors
    constraints: Vectors
    bearing: tuple[frozenset[str], ...]
    """What each constraint bears on."""
    statements: Vectors
    wishes: Vectors
    wants: Vectors

    @classmethod
    async def of(cls, embedder: Embedder, calibration: Calibration) -> Self | None:
        """Embed them; None for an embedder of which no cosines are known.

        Raises EmbeddingError.
        """
        if calibration == SAFE:
            return None
        part = across_languages(embedder.id)
        requests = [(topic, text) for topic, texts in REQUESTS.items() for text in texts]

        async def embedded(texts: Sequence[str]) -> Vectors:
            vectors = (await embedder.embed(texts))[:, part]
            return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

        return cls(
            part,
            _languages(calibration),
            await embedded([text for _, text in requests]),
            tuple(topic for topic, _ in requests),
            await embedded(IMPERSONAL),
            await embedded(list(CONSTRAINTS)),
            tuple(frozenset(topics.split()) for topics in CONSTRAINTS.values()),
            await embedded(STATEMENTS),
            await embedded(WISHES),
            await embedded(WANTS),
        )

    def asked(self, vector: Vector) -> frozenset[str]:
        """The topics of a request that depends on who asks; empty for any other."""
        own = self._own(vector)
        near = self.requests @ own
        best = float(near.max())
        if best < float((self.impersonal @ own).max()) + ASKED:
            return frozenset()
        return frozenset(self.topics[at] for at in np.flatnonzero(near >= best - BESIDE).tolist())

    def borne_on(self, vector: Vector) -> frozenset[str]:
        """The topics that a statement bears on; empty if it constrains nothing."""
        own = self._own(vector)
        near = self.constraints @ own
        best = float(near.max())
        if best < float((self.statements @ own).max()) + STANDING:
            return frozenset()
        alike = np.flatnonzero(near >= best - BESIDE).tolist()
        return frozenset().union(*(self.bearing[at] for at in alike))

    def of_answers(self, vector: Vector) -> float:
        """How much nearer a text is to wishes about answers than to all else (cosines)."""
        own = self._own(vector)
        others = (self.wants, self.statements, self.constraints)
        return float((self.wishes @ own).max()) - max(float((one @ own).max()) for one in others)

    def _own(self, vector: Vector) -> Vector:
        """What is compared of a vector. Nothing of a text that is not embedded yet."""
        part = vector[self.part]
        length = float(np.linalg.norm(part))
        return part / np.float32(length) if length else part


def _languages(calibration: Calibration) -> frozenset[str]:
    """Short English texts are of an unknown language."""
    known = (code for code, one in calibration.languages.items() if one.worth >= LEAST_WORTH)
    return frozenset({FALLBACK, UNKNOWN, *known})
