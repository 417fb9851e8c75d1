"""Which of the hits are worth their tokens. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..types import ScoredMemory


class Drop(StrEnum):
    """Why a hit was not selected."""

    THRESHOLD = "threshold"
    LIMIT = "limit"
    BUDGET = "budget"


@dataclass(frozen=True, slots=True)
class Selection:
    """What was chosen, best first, and what was left out and why."""

    chosen: tuple[ScoredMemory, ...]
    dropped: tuple[tuple[ScoredMemory, Drop], ...]


def select(
    hits: Sequence[ScoredMemory],
    *,
    threshold: float,
    limit: int,
    token_budget: int,
    count_tokens: Callable[[ScoredMemory], int],
) -> Selection:
    """Take hits in order while they pass the threshold and fit the limit and the token budget.

    A hit that does not fit the budget is left out; a later, shorter one may still fit.
    """
    chosen: list[ScoredMemory] = []
    dropped: list[tuple[ScoredMemory, Drop]] = []
    left = token_budget
    for hit in hits:
        if hit.score < threshold:
            dropped.append((hit, Drop.THRESHOLD))
        elif len(chosen) >= limit:
            dropped.append((hit, Drop.LIMIT))
        elif (cost := count_tokens(hit)) > left:
            dropped.append((hit, Drop.BUDGET))
        else:
            chosen.append(hit)
            left -= cost
    return Selection(tuple(chosen), tuple(dropped))
