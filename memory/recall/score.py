"""The score of a search hit: how sure it is that it answers, from 0 to 1. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .rank import Ranked

LEFT = 0.15
"""What is left of the doubt at a clear match: evidence of 1 is a score of 0.85, of 0.5 one of 0.61.
`benchmarks/scores.py` measures what share of the hits at each score is right."""
_DIGITS = 4


def scores_of(hits: Sequence[Ranked]) -> list[float]:
    """The scores of hits in their order, never rising.

    A hit is ordered by more than its evidence (time, who is meant, neighbours), so hits whose
    evidence would rise share the mean of their scores (pool adjacent violators).
    """
    return [round(score, _DIGITS) for score in _falling(map(_score, hits))]


def _score(hit: Ranked) -> float:
    return 1.0 - float(LEFT ** max(hit.strength, 0.0))


def _falling(values: Iterable[float]) -> list[float]:
    """The nearest sequence that never rises, by least squares."""
    pools: list[tuple[float, int]] = []
    for value in values:
        mean, count = value, 1
        while pools and pools[-1][0] < mean:
            before, there = pools.pop()
            mean, count = (before * there + mean * count) / (there + count), there + count
        pools.append((mean, count))
    return [mean for mean, count in pools for _ in range(count)]
