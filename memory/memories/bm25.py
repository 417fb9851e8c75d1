"""BM25 over the terms of a scope's rows. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

K1, B = 1.5, 0.75
"""Saturation and length normalisation (Robertson & Zaragoza 2009)."""


def scores(
    postings: Iterable[Mapping[int, int]], lengths: Sequence[int]
) -> npt.NDArray[np.float64]:
    """The score of each row, by how many terms it has.

    `postings` tell of each term of the query which rows have it, and how often.
    """
    size = np.array(lengths, np.float64)
    length = K1 * (1 - B + B * size / (size.mean() if size.any() else 1.0))
    found = np.zeros(len(size))
    for counts in postings:
        places = np.fromiter(counts, np.intp, len(counts))
        often = np.fromiter(counts.values(), np.float64, len(counts))
        rarity = math.log(1 + (len(size) - len(counts) + 0.5) / (len(counts) + 0.5))
        found[places] += rarity * often * (K1 + 1) / (often + length[places])
    return found
