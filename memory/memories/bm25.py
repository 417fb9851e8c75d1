"""BM25 over the terms of a scope's rows. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

K1, B = 1.5, 0.75
"""Saturation and length normalisation (Robertson & Zaragoza 2009)."""


def scores(
    having: Mapping[K, Sequence[str]], query: Sequence[str], *, rows: int, mean: float
) -> dict[K, float]:
    """The score of each row that has any of the terms, by its key.

    `having` are the terms of those rows, of `rows` with `mean` terms on average.
    """
    counts = {each: Counter(terms) for each, terms in having.items()}
    found = dict.fromkeys(having, 0.0)
    for term in set(query):
        with_it = [each for each, count in counts.items() if count[term]]
        rarity = math.log(1 + (rows - len(with_it) + 0.5) / (len(with_it) + 0.5))
        for each in with_it:
            often = counts[each][term]
            length = 1 - B + B * len(having[each]) / (mean or 1.0)
            found[each] += rarity * often * (K1 + 1) / (often + K1 * length)
    return found
