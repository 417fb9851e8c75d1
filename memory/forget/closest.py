"""Chooses what a sentence of a user means among the hits of a search. Pure.

`find` is for a person who reads a list and keeps some of it. A user who says "forget that" means
one thing, or everything about one person.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..calibration import Calibration
from ..recall.ranking import Ranked
from ..recall.signals import Signal

NEAR = 0.35
"""Least nearness of a hit with a word in common, in spreads of the embedder above its floor; a
name in common is near enough."""
BEHIND = 0.75
"""Spreads behind the best of those; what is about one person differs so much."""
SHARE = 0.4
"""Least share of the best one's words."""
ALONE, ALONE_BEHIND = 1.0, 0.3
"""The same spreads without a word in common."""


def closest(hits: Sequence[Ranked], calibration: Calibration) -> list[Ranked]:
    """The hits that are meant, best first; none if nothing is near enough."""
    if not hits:
        return []

    def near(hit: Ranked) -> float:
        return (hit.cosine - calibration.floor) / calibration.spread

    best = max(map(near, hits))
    words = max(hit.coverage for hit in hits)

    def meant(hit: Ranked) -> bool:
        if hit.coverage > 0:
            least = -1.0 if hit.signals[Signal.ENTITY] > 0 else NEAR
            close = near(hit) >= max(least, best - BEHIND)
            return close and hit.coverage >= SHARE * words
        return near(hit) >= max(ALONE, best - ALONE_BEHIND)

    return sorted(filter(meant, hits), key=near, reverse=True)
