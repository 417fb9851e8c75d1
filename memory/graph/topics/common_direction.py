"""Finds the direction that all statements of a user share, whatever they are about.

"User loves jazz" and "User plays the oboe" are near each other because of "User". Without that
part of their vectors, what is left tells what they are about (Mu and Viswanath 2018, "All-but-the-
top: simple and effective postprocessing for word representations", ICLR).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ...recall.example_vectors import known_vectors
from ...recall.examples import CONSTRAINTS, FACTS, FRAMES, PRIVATE

Directions = npt.NDArray[np.float64]
"""``float64[k, dim]``, orthonormal."""


@lru_cache(maxsize=4)
def common_of(embedder_id: str) -> Directions | None:
    """These directions; None of an embedder without kept vectors."""
    frames = known_vectors(embedder_id, FRAMES)
    statements = known_vectors(embedder_id, list(_statements()))
    if frames is None or statements is None:
        return None
    spanned = np.vstack([statements.mean(axis=0), frames]).astype(np.float64)
    directions: Directions = np.linalg.qr(spanned.T)[0].T
    return directions


def without(rows: npt.NDArray[np.float32], directions: Directions) -> npt.NDArray[np.float32]:
    """Rows without their parts in these directions.

    Each row is computed alone, so that it is the same beside any others.
    """
    wide = rows.astype(np.float64)
    parts = np.einsum("ij,kj->ik", wide, directions)
    left: npt.NDArray[np.float64] = wide - np.einsum("ik,kj->ij", parts, directions)
    return left.astype(np.float32)


def _statements() -> Iterator[str]:
    for sentences in FACTS.values():
        yield from sentences
    for told in CONSTRAINTS.values():
        yield from told
    yield from PRIVATE
