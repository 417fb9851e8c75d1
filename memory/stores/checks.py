"""Checks that every store makes before it changes anything."""

from __future__ import annotations

import numpy as np

from ..model.errors import InvalidInputError
from ..model.types import Vector


def checked_vector(vector: Vector, dim: int) -> Vector:
    """The vector as ``float32[dim]``.

    Raises:
        InvalidInputError: it has another shape, or a value that is not finite.
    """
    array = np.asarray(vector, dtype=np.float32)
    if array.shape != (dim,):
        raise InvalidInputError("vector", f"expected {dim} numbers, got shape {array.shape}")
    if not np.isfinite(array).all():
        raise InvalidInputError("vector", "must hold finite numbers only")
    return array
