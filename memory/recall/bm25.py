"""How well words match: BM25 on a scale of its own. Pure."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

K1, B = 0.9, 0.75
"""Saturation and length normalisation. The values are usual ones, with the smaller saturation that
suits short texts. Other values move LoCoMo by half a point."""
_SHORTEST = 1e-6
TELLING = 8
"""Of a query, this many terms of the greatest weight are the measure of a match. Six to twelve give
about the same; with all of them, evidence for messages of over 40 words is not found."""
PRIOR_DOCUMENTS = 100
"""Assumed additional documents that hold none of the terms. Without them no word would be rare:
among three memories, every word is in at least a third of them."""


def idf(frequencies: npt.NDArray[np.int64], documents: int) -> Values:
    """``float64[terms]``: inverse document frequency; `frequencies` count documents by term."""
    total = documents + PRIOR_DOCUMENTS
    rarity: Values = np.log1p((total - frequencies + 0.5) / (frequencies + 0.5))
    return rarity


def telling(weights: Values) -> float:
    """The weight of the few most telling terms: a long message is not about all of its words."""
    few = weights if len(weights) <= TELLING else np.partition(weights, -TELLING)[-TELLING:]
    return float(np.add.reduce(few))


def bm25(
    counts: Values, lengths: Values, weights: Values, *, average: float | None = None
) -> Values:
    """``float64[n]``: 1 for a document full of all terms, 0 for one that holds none.

    `counts` is ``[terms, n]``, `lengths` ``[n]`` in terms, `weights` ``[terms]``, the idf.
    `average` is the mean document length. The default is the mean of `lengths`, which may count
    removed documents. Of many terms the most telling suffice.
    """
    best = telling(weights) * (K1 + 1)
    if not counts.size or best <= 0:
        return np.zeros(len(lengths))
    mean = float(lengths.mean()) if average is None else average
    relative = lengths / max(mean, _SHORTEST)
    saturated = counts * (K1 + 1) / (counts + K1 * (1 - B + B * relative))
    scored: Values = np.minimum(weights @ saturated / best, 1.0)
    return scored
