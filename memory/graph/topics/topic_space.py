"""Chooses the part of the stored vectors in which topics are near, and the bound.

Of two models end to end, the one for many languages tells topics better, in English too; the other
one finds all texts of some languages alike. The mean of both is for
questions, which are weighed by language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...calibration import Calibration, calibration_for
from ...embedders.local import HALVES
from .common_direction import Directions, common_of, without

ALIKE = 0.2
"""How much nearer than usual memories of one topic are on the mean: 0 is the cosine of unrelated
texts (`Calibration.floor`), 1 that of a clear hit (`ceiling`)."""
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
    common: Directions | None = None
    """Directions that tell nothing of what a text is about; see `common_of`."""

    @classmethod
    def of(cls, embedder_id: str, dim: int, calibration: Calibration) -> TopicSpace:
        """That of an embedder with these thresholds."""
        _, both, second = embedder_id.partition(_AND)
        if not both or dim != sum(HALVES):
            return cls(calibration, common=_fitting(embedder_id, dim))
        own = calibration_for(second, dim=HALVES[1])
        return cls(own, HALVES[0], _fitting(embedder_id, HALVES[1]))

    @property
    def measured(self) -> bool:
        """Whether the thresholds were measured (`calibration.SAFE` has none that is reached)."""
        return self.calibration.update <= 1.0

    @property
    def alike(self) -> float:
        """The mean cosine of one topic over what is usual; nothing measured reaches no topic."""
        if not self.measured:
            return _UNREACHED
        return self.calibration.floor + ALIKE * self.calibration.spread

    def part(self, vectors: Sequence[npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
        """``float32[n, dim - first]``: what counts of these vectors."""
        rows = np.stack([vector[self.first :] for vector in vectors]).astype(np.float32)
        return rows if self.common is None else without(rows, self.common)


def _fitting(embedder_id: str, dim: int) -> Directions | None:
    """The common directions of an embedder, if they have so many numbers."""
    common = common_of(embedder_id)
    return common if common is not None and common.shape[1] == dim else None
