"""Weighs what a text means and what its words tell: linear heads over vectors of USE.

`tools/fit_forgetting.py` fits them to rows in fifteen languages and writes them beside this file.
Other embedders have none: there words decide alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Self

import numpy as np

from ...embedders.weighted_halves import across_languages, is_of_use
from ...model.types import Vector

FILE = "heads.npz"


@dataclass(frozen=True, slots=True)
class LinearHeads:
    """Each head by name: the weights of a vector, of signs, and a constant."""

    part: slice
    """The numbers of a vector that are weighed."""
    weights: Mapping[str, Vector]

    @classmethod
    def of(cls, embedder_id: str) -> Self | None:
        """Those for an embedder; None if it is not of USE."""
        if not is_of_use(embedder_id):
            return None
        return cls(across_languages(embedder_id), _kept())

    def score(self, name: str, vector: Vector, signs: Sequence[float]) -> float:
        """The log of the odds that a text with this vector and these signs is one of the kind."""
        own = vector[self.part]
        own = own / np.float32(float(np.linalg.norm(own)) or 1.0)
        weights = self.weights[name]
        # Not a matrix product: BLAS would start threads for it.
        return float(np.vecdot(weights, np.concatenate([own, signs, [1.0]])))


@cache
def _kept() -> Mapping[str, Vector]:
    with resources.files(__package__).joinpath(FILE).open("rb") as file, np.load(file) as kept:
        return {name: kept[name] for name in kept.files}
