"""Products of one row of vectors with another: numbers of a byte, in one thread. Pure."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ...model.types import Vectors

Values = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.int8]

STEPS = 127
"""The largest number of a byte."""
FINER = 254
"""Of these steps are as much as a coarse one: what is left after rounding is half a step."""
_NOTHING = np.float32(1e-30)
"""Less than the largest number of any vector but zero."""


def dot(some: npt.NDArray[Any], others: npt.NDArray[Any]) -> Values:
    """``float64[m, n]`` of ``[m, dim]`` and ``[n, dim]``, both of bytes or of floats.

    The sums of bytes are exact.
    """
    if not (len(some) and len(others)):
        return np.zeros((len(some), len(others)))
    # numpy multiplies bytes only as floats, seven times slower, and BLAS starts a thread on every
    # core, which compete with the event loop.
    return np.asarray(_cdist()(some, others, "dot"))


@cache
def _cdist() -> Any:
    from simsimd import cdist  # when first needed: most commands compare nothing

    return cdist


def in_steps(vectors: Vectors) -> tuple[Vectors, Vectors]:
    """Their numbers in steps, of which the largest is 127, and ``[n, 1]`` the step of each."""
    largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), _NOTHING)
    return vectors * (STEPS / largest), largest / STEPS


def dot_floats(queries: Vectors, codes: Bytes) -> Values:
    """``float64[m, n]`` of floats and bytes.

    A float is taken for a byte and a finer byte, so that a query is rounded much less than what it
    is compared with.
    """
    numbers, steps = in_steps(queries)
    coarse = np.rint(numbers)
    numbers -= coarse
    numbers *= FINER
    both = np.concatenate((coarse, np.rint(numbers, out=numbers))).astype(np.int8)
    products = dot(both, codes)
    return (products[: len(queries)] + products[len(queries) :] / FINER) * steps
