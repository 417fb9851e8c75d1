"""Checks that are made before anything is changed."""

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


def check_text(name: str, value: str, size: int) -> None:
    """Return if a field can be kept. Raises InvalidInputError, which names it."""
    try:
        length = len(value.encode())
    except UnicodeEncodeError as error:
        raise InvalidInputError(name, "must be valid Unicode text") from error
    if length > size:
        raise InvalidInputError(name, f"must have at most {size} bytes in UTF-8, has {length}")
    if name == "id" and not value:
        raise InvalidInputError(name, "must not be empty")
