"""Similarity of meaning: cosines, on the scale of the languages they are of. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..calibration import Calibration
from ..language.detect import UNKNOWN
from ..language.function_words import FALLBACK
from ..types import Vectors
from .index.user_index import UserIndex

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Meaning:
    """How near n memories are to a query, ``float64[n]`` each."""

    cosine: Values
    near: Values
    """0 for unrelated texts, 1 for a clear hit; lower where the embedder hardly knows a language,
    and 0 where it does not."""
    worth: Values
    """How well cosines tell relevant from unrelated memories, 0 to 1 (`Scale.worth`)."""
    floor: Values
    """The cosine of unrelated texts; infinite where cosines tell nothing."""


def meaning(index: UserIndex, vectors: Vectors, language: str, calibration: Calibration) -> Meaning:
    """The similarity of each memory to the nearest vector (``float32[m, dim]``) of a query.

    A query and a memory of two languages are compared on the scale of the one that the embedder
    knows less.
    """
    cosine = _cosine(index, vectors)
    floor, ceiling, worth = _scales(index, language, calibration)
    near = worth * np.clip((cosine - floor) / (ceiling - floor), 0.0, 1.0)
    return Meaning(cosine, near, worth, np.where(worth > 0, floor, np.inf))


def _cosine(index: UserIndex, vectors: Vectors) -> Values:
    # Not a matrix product: BLAS starts a thread on every core, and on a busy machine these wait for
    # each other (7 to 15 ms instead of 1.3 ms at 20,000 memories) and compete with the event loop.
    each = [np.vecdot(index.vectors, vector) for vector in vectors]
    nearest = each[0] if len(each) == 1 else np.max(each, axis=0)
    return np.asarray(nearest.clip(-1.0, 1.0), np.float64)


def _scales(
    index: UserIndex, language: str, calibration: Calibration
) -> tuple[Values, Values, Values]:
    """Floor, ceiling and worth of each memory's cosine, ``float64[n]``.

    A text too short to tell its language is of the language that most memories are of, or else of
    the query's.
    """
    usual = next((code for code in (index.usual_language, language) if code != UNKNOWN), FALLBACK)
    asked = calibration.scale(usual if language == UNKNOWN else language)
    codes = [usual if code == UNKNOWN else code for code in index.language_codes]
    scales = [calibration.scale(code) for code in codes]
    rows = np.array(
        [
            (
                max(asked.floor, one.floor),
                max(asked.ceiling, one.ceiling),
                min(asked.worth, one.worth),
            )
            for one in scales
        ]
    )
    floor, ceiling, worth = rows[index.language_numbers].T
    return floor, ceiling, worth
