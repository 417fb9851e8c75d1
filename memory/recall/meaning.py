"""How near memories are to a query in meaning. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..calibration import Calibration
from ..language.detect import FALLBACK, UNKNOWN
from ..model.types import Vectors
from .index.user_index import UserIndex

Values = npt.NDArray[np.float64]

BELOW = 0.4
"""Spreads below the floor where `Meaning.near` is 0. From the floor on, the order among memories
that are hardly near is lost; from further below, age and importance weigh more than meaning."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """The nearness of n memories to a query, ``float64[n]`` each."""

    cosine: Values
    near: Values
    """The cosine from 0 to 1, on one scale for all embedders; lower where the embedder hardly
    knows a language, and 0 where it does not."""
    worth: Values
    """How well cosines tell relevant from unrelated memories, 0 to 1 (`Calibration.worth`)."""


def meaning(index: UserIndex, vectors: Vectors, language: str, calibration: Calibration) -> Meaning:
    """The similarity of each memory to the nearest vector (``float32[m, dim]``) of a query.

    A query and a memory of two languages are compared as the one that the embedder knows less.
    """
    cosine = _cosine(index, vectors)
    worth = _worth(index, language, calibration)
    least = calibration.floor - BELOW * calibration.spread
    near = np.minimum(np.maximum((cosine - least) / (calibration.ceiling - least), 0.0), 1.0)
    return Meaning(cosine, worth * near, worth)


def _cosine(index: UserIndex, vectors: Vectors) -> Values:
    cosines = index.vectors.cosines(vectors)
    return np.minimum(np.maximum(cosines, -1.0), 1.0).astype(np.float64)


def _worth(index: UserIndex, language: str, calibration: Calibration) -> Values:
    """Of each memory's cosine, ``float64[n]``.

    A text too short to tell its language is of the language that most memories are of, or else of
    the query's.
    """
    usual = next((code for code in (index.usual_language, language) if code != UNKNOWN), FALLBACK)
    asked = calibration.worth(usual if language == UNKNOWN else language)
    codes = [usual if code == UNKNOWN else code for code in index.language_codes]
    worths = np.array([min(asked, calibration.worth(code)) for code in codes])
    return worths[index.language_numbers]
