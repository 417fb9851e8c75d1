"""Vectors in whole numbers, so that sums and products of them are exact. Pure.

Floating point sums depend on their order, and on how many rows a matrix has. Clusters that are
built step by step must be those that are built at once, so nothing here is rounded: `SCALE` is so
small that a product of a vector and a sum of `MOST_SUMMED` of them is below 2**24, up to which
float32 counts whole numbers.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Whole = npt.NDArray[np.float32]
"""``float32[n, dim]`` of whole numbers."""

SCALE = 512
"""The length of a vector. A component is rounded by at most 1/1024 of it: a cosine of 896
dimensions moves by 0.0008 at the most likely."""
MOST_SUMMED = 32
"""Vectors in a sum: ``32 * 512**2 = 2**23``, and rounding may add a little."""


def whole(vectors: npt.NDArray[np.float32]) -> Whole:
    """The directions of vectors (``float32[n, dim]``) in whole numbers; of none, zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    directions = vectors / np.where(lengths > 0, lengths, 1)
    rounded: Whole = np.rint(directions * SCALE).astype(np.float32)
    return rounded


def lengths_of(rows: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """``float64[n]``: the lengths; 1 for a row of zeros, whose products are 0 anyway."""
    wide = rows.astype(np.float64)
    squares = np.einsum("ij,ij->i", wide, wide)
    return np.sqrt(np.where(squares > 0, squares, 1.0))
