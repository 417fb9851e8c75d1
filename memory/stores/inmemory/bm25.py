"""BM25, exact but slow: the reference."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from ...memories.bm25 import K1, B


def bm25(documents: Sequence[Sequence[str]], query: Sequence[str]) -> list[float]:
    """The score of each document for the distinct terms of the query; 0 if it has none of them."""
    if not documents:
        return []
    counts = [Counter(document) for document in documents]
    mean = sum(map(len, documents)) / len(documents) or 1.0
    scores = [0.0] * len(documents)
    for term in set(query):
        having = [number for number, count in enumerate(counts) if count[term]]
        rarity = math.log(1 + (len(documents) - len(having) + 0.5) / (len(having) + 0.5))
        for number in having:
            often = counts[number][term]
            length = 1 - B + B * len(documents[number]) / mean
            scores[number] += rarity * often * (K1 + 1) / (often + K1 * length)
    return scores
