"""Tells which memories somebody did not want for questions like the one that is asked. Pure.

Two questions are about one matter if they are nearer to each other than each is to what people ask
otherwise (`SimilarityBaseline.likeness`). Even then a question that is clearly nearer to the memory
than the one that was put off asks for it: "dinner" and "dinner, with my allergy".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from ..calibration import Calibration
from ..model.put_off import PutOff, put_off_of
from ..model.types import Vector
from .baseline import SimilarityBaseline

LIKE = 2.85
"""Least likeness of two questions about one matter. Of 39 pairs that were written for this, in
eight languages, 38 are above it, of 43 questions that need the memory none."""
NEEDED = 0.24
"""How much nearer to the memory a question must be that asks for it all the same (in spreads).
Of 19 questions about the matter that do ask for it, 15 are, of the 39 others 2."""


def put_off_for(
    marked: Mapping[str, Sequence[str]],
    own: Vector,
    nearness: Mapping[str, float],
    *,
    embedder_id: str,
    calibration: Calibration,
    background: SimilarityBaseline | None,
) -> frozenset[str]:
    """The ids of the `marked` memories that the question with this vector is not to be given.

    `nearness` has the question's cosine to each. Without a `background`, which needs a language
    that the embedder knows, only the same question is like another.
    """

    def is_like(mark: PutOff) -> bool:
        if background is None:
            return float(own @ mark.vector) >= calibration.same
        return background.likeness(own, mark.vector) >= LIKE

    def is_meant(name: str, mark: PutOff) -> bool:
        if mark.embedder_id != embedder_id or mark.vector.shape != own.shape:
            return False
        lead = nearness.get(name, 0.0) - mark.cosine
        return lead < NEEDED * calibration.spread and is_like(mark)

    return frozenset(
        name for name, texts in marked.items() if any(is_meant(name, one) for one in _read(texts))
    )


def _read(texts: Collection[str]) -> list[PutOff]:
    read = map(put_off_of, texts)
    return [one for one in read if one is not None and bool(np.any(one.vector))]
