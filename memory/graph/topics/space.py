"""In which part of the stored vectors topics are near, and from where on. Pure.

Of two models end to end, the one for many languages tells topics better, in English too; the other
one finds all texts of some languages alike (`benchmarks/graph/topics.py`). The mean of both is for
questions, which are weighed by language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...calibration import Calibration, calibration_for
from ...embedders.local import HALVES
from .clusters import TopicBounds

JOIN = 0.5
"""How near a memory is to the centroid of its topic: 0 is the cosine of unrelated texts
(`Calibration.floor`), 1 that of a clear hit (`ceiling`). Lower ones put strangers together
(development rows in three languages)."""
MERGE = 1.0
"""The same of the centroids of two topics that are one."""
_UNREACHED = 2.0
"""Above every cosine."""
_AND = "+"
"""Between the ids of two models in one vector."""


@dataclass(frozen=True, slots=True)
class TopicSpace:
    """The numbers of a vector that count, and the thresholds of their cosines."""

    calibration: Calibration
    first: int = 0
    """The numbers from this one on."""

    @classmethod
    def of(cls, embedder_id: str, dim: int, calibration: Calibration) -> TopicSpace:
        """That of an embedder with these thresholds."""
        _, both, second = embedder_id.partition(_AND)
        if not both or dim != sum(HALVES):
            return cls(calibration)
        return cls(calibration_for(second, dim=HALVES[1]), HALVES[0])

    @property
    def measured(self) -> bool:
        """Whether the thresholds were measured (`calibration.SAFE` has none that is reached)."""
        return self.calibration.update <= 1.0

    @property
    def bounds(self) -> TopicBounds:
        """The bounds of topics. If nothing was measured, nothing is near anything."""
        if not self.measured:
            return TopicBounds(_UNREACHED, _UNREACHED)
        floor, spread = self.calibration.floor, self.calibration.spread
        return TopicBounds(floor + JOIN * spread, floor + MERGE * spread)

    def part(self, vectors: Sequence[npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
        """``float32[n, dim - first]``: what counts of these vectors."""
        return np.stack([vector[self.first :] for vector in vectors])
