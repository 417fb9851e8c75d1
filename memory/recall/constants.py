"""The constants of ranking and selection: measured. `recall.ranking` sets five of them.

They are rounded optima on the development half of LoCoMo (`benchmarks/recall`); small changes
hardly change the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

_WEIGHTS = {
    "dense": 0.6,
    "dense_context": 0.1,
    "lexical": 2.0,
    "topic": 0.5,
    "entity": 0.3,
    "date": 0.4,
    "substance": 0.3,
    "connected": 0.6,
}
MAX_WEIGHT = 10.0
MAX_SHARE = 1.0
MAX_HALF_LIFE = 36_500.0
"""In days: a hundred years, in which nothing ages."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """The weights of signals in a score, and the ends of a list of scores."""

    weights: Mapping[str, float] = field(default_factory=lambda: MappingProxyType(_WEIGHTS))
    """By the names of the signals. Those that do not apply to a query are left out."""
    neighbours: float = 1.0
    """Weight of neighbouring memories in a memory's signals, 0 to 1."""
    recency: float = 0.02
    """Largest share that a score gains for a new memory or loses for an old one."""
    half_life_days: float = 30.0
    """Half-life of recency, which is neutral at this age."""
    importance: float = 0.03
    """The same as `recency`, for importance. With 0.05 facts within 256 tokens lose 0.7 points of
    evidence, with 0.03 nothing loses more than 0.3, and turns within 256 gain 2.8."""
    hearsay: float = 0.1
    """Share that a score loses for a memory that the user never said themselves."""
    feedback: float = 0.1
    """Largest share that a score loses because people spoke against the memory: as much as for one
    that the user never said. It orders memories, and takes none out of recall (`selection`)."""
    praise: float = 0.025
    """The same that it gains if they spoke for it: less, or what is shown would stay on top."""
    clear: float = 0.65
    """The least `recall.threshold` for a message that does not depend on who asks."""
    profile_tokens: int = 96
    """Share of the token budget for constraints and wishes. A question about the user may have all
    of the budget."""


TUNING = Tuning()
