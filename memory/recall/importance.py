"""Estimates by meaning how much a statement is worth knowing later. Pure.

A statement is compared with sentences of three levels (`importance.toml`, and the constraints,
wishes and private matters of `examples`, which are of the highest). Nothing is decided by it: it
orders what else is equal, and tells what the archive takes first.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import accumulate
from typing import Self

import numpy as np

from ..calibration import Calibration
from ..embedders.weighted_halves import across_languages
from ..language import language_of
from ..model.types import Vector
from .example_vectors import known_vectors
from .examples import CONSTRAINTS, FACTS, PRIVATE, WISHES, Sentences
from .prototypes import Kinds, languages_known

NEUTRAL = 0.5
"""What nobody judged, and what a model says that judges nothing."""
HIGH, MIDDLE, LOW = 0.85, NEUTRAL, 0.2
"""The levels. Neither all nor nothing: meaning alone is never sure."""
_LEVELS = np.array([HIGH, MIDDLE, LOW])
_SHARPNESS = 20.0
"""As in `prototypes`: how much the nearest sentences count more than others."""
LONGEST = 400
"""Characters of the longest text that is compared: a longer one is about many things."""
_USUAL = ("plan", "prefers", "tools")
"""The traits of `examples` that are of the middle level."""

_OWN = tomllib.loads(resources.files(__package__).joinpath("importance.toml").read_text("utf-8"))
LEVELS: Sequence[Sentences] = (
    (*_OWN["high"], *(text for told in CONSTRAINTS.values() for text in told), *WISHES, *PRIVATE),
    (*_OWN["middle"], *(text for trait in _USUAL for text in FACTS[trait])),
    tuple(_OWN["low"]),
)
"""The sentences of `HIGH`, `MIDDLE` and `LOW`."""


@dataclass(frozen=True, slots=True)
class ImportanceScale:
    """Tells an importance by meaning, for texts of languages that the embedder knows."""

    part: slice
    """The numbers of a vector that are compared."""
    kinds: Kinds
    languages: frozenset[str]

    @classmethod
    def of(cls, embedder_id: str, calibration: Calibration) -> Self | None:
        """None for an embedder whose vectors of the sentences are not shipped: none are measured.

        Nothing is embedded.
        """
        vectors = known_vectors(embedder_id, [text for texts in LEVELS for text in texts])
        if vectors is None:
            return None
        edges = (0, *accumulate(map(len, LEVELS)))
        return cls(
            across_languages(embedder_id), Kinds(vectors, edges), languages_known(calibration)
        )

    def told(self, text: str, vector: Vector) -> float:
        """From `LOW` to `HIGH`; `NEUTRAL` if meaning tells nothing. About 50 microseconds.

        The mean of the levels, each weighed by how near its sentences are.
        """
        own = vector[self.part]
        length = float(np.linalg.norm(own))
        if length == 0 or len(text) > LONGEST or language_of(text) not in self.languages:
            return NEUTRAL
        near = self.kinds.cosines(own / np.float32(length))
        weights = np.array([float(np.exp(_SHARPNESS * each).mean()) for each in near])
        return float(weights @ _LEVELS / weights.sum())


def agreed(judged: float | None, told: float) -> float:
    """The importance of a fact: what a model judged, and what its meaning tells, half each.

    None, and the middle of the scale, which models write for whatever they do not judge, leave it
    to the meaning.
    """
    if judged is None or judged == NEUTRAL:
        return told
    return (judged + told) / 2
