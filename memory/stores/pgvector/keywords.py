"""BM25 over the terms of a scope's rows. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from ..inmemory.bm25 import K1, B


def scores(
    having: Mapping[str, Sequence[str]], query: Sequence[str], *, rows: int, mean: float
) -> dict[str, float]:
    """The score of each row that has any of the terms, by its id.

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
