"""BM25 as a share of what a perfect match would score. Pure.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

K1, B = 0.9, 0.75
"""Saturation and length normalisation: usual values, of saturation the smaller one that short texts
want. Others move LoCoMo by half a point."""
_SHORTEST = 1e-6
PRIOR_DOCUMENTS = 100
"""Documents assumed besides those there are, without any of the terms. Among three memories every
word is in a third of them, and none would seem telling."""


def idf(frequencies: npt.NDArray[np.int64], documents: int) -> Values:
    """``float64[terms]``: how telling terms are that so many of the documents hold."""
    total = documents + PRIOR_DOCUMENTS
    rarity: Values = np.log1p((total - frequencies + 0.5) / (frequencies + 0.5))
    return rarity


def bm25(
    counts: Values, lengths: Values, weights: Values, *, average: float | None = None
) -> Values:
    """``float64[n]``: 1 for a document that is full of all terms, 0 for one that holds none.

    `counts` is ``[terms, n]``, `lengths` ``[n]`` in terms, `weights` ``[terms]``, their idf.
    `average` is the mean length of documents, if not of these n: some may have been removed.
    """
    best = float(weights.sum()) * (K1 + 1)
    if not counts.size or best <= 0:
        return np.zeros(len(lengths))
    mean = float(lengths.mean()) if average is None else average
    relative = lengths / max(mean, _SHORTEST)
    saturated = counts * (K1 + 1) / (counts + K1 * (1 - B + B * relative))
    scored: Values = np.minimum(weights @ saturated / best, 1.0)
    return scored
