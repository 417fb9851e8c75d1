"""The pairs of memories with near vectors, in blocks: never all pairs at once. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...model.types import Vectors

BLOCK = 256
"""Rows that are compared with all at a time: 20 MB of cosines for 20,000 memories."""
MOST_EACH = 4
"""Pairs of one row at most, its nearest."""


class Near(NamedTuple):
    """Two rows, the later one first, and the cosine of their vectors."""

    row: int
    other: int
    cosine: float


def near_pairs(vectors: Vectors, since: int, least: float) -> Iterator[list[Near]]:
    """For the rows from `since` on, block by block, the nearest rows before each.

    `vectors` are ``float32[n, dim]``, normalised; a pair has a cosine of at least `least`.
    """
    for start in range(since, len(vectors), BLOCK):
        end = min(start + BLOCK, len(vectors))
        yield _of_block(vectors, start, end, least)


def _of_block(vectors: Vectors, start: int, end: int, least: float) -> list[Near]:
    cosines = vectors[start:end] @ vectors[:end].T
    later = np.arange(end)[None, :] >= np.arange(start, end)[:, None]
    cosines[later] = -1.0
    found: list[Near] = []
    for row, own in enumerate(cosines, start):
        near = np.flatnonzero(own >= least)
        nearest = near[np.argsort(-own[near], kind="stable")][:MOST_EACH]
        found += [Near(row, int(other), float(own[other])) for other in nearest]
    return found
