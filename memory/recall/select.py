"""Which of the ranked memories are worth their tokens. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ..types import MemoryItem
from .options import RecallOptions
from .rank import Ranked

MOST_REFUSED = 8
"""Memories that may turn out too long before the budget counts as spent: each costs a count."""


class Drop(StrEnum):
    """Why a memory was not selected."""

    THRESHOLD = "threshold"
    """No signal of its own passes."""
    DUPLICATE = "duplicate"
    """Says what a better one says."""
    CUT = "cut"
    """Too far behind the best, or behind a clear gap."""
    LIMIT = "limit"
    BUDGET = "budget"


class Shown(NamedTuple):
    """How a memory will be shown: a line, under a heading that several may share."""

    heading: str
    line: str


@dataclass(frozen=True, slots=True)
class Selection:
    """What was chosen, best first, and what was left out and why."""

    chosen: tuple[Ranked, ...]
    dropped: tuple[tuple[Ranked, Drop], ...]
    tokens: int = 0
    """What the chosen cost, with their headings."""
    seen: int = 0
    """How many memories were looked at; those neither chosen nor dropped here ranked behind."""


def select(
    ranked: Sequence[Ranked],
    options: RecallOptions,
    *,
    token_budget: int,
    same: Callable[[Ranked, Ranked], bool],
    show: Callable[[MemoryItem], Shown],
    count_tokens: Callable[[str], int],
    seen: int,
) -> Selection:
    """Take memories in order until they fall behind, while they fit the limit and the budget.

    One that does not fit the budget is left out; a later, shorter one may still fit.
    """
    chosen: list[Ranked] = []
    dropped: list[tuple[Ranked, Drop]] = []
    words: set[int] = set()
    before = -math.inf
    purse = _Purse(token_budget, show, count_tokens)
    ended = False
    for hit in ranked:
        if not hit.relevant:
            dropped.append((hit, Drop.THRESHOLD))
            continue
        if chosen and not ended:
            best = chosen[0].score
            ended = hit.score < options.cut * best or hit.score < (1 - options.gap) * before
        before = hit.score
        reason = Drop.CUT if ended else _refusal(hit, chosen, words, options, same, purse)
        if reason is None:
            chosen.append(hit)
            words.add(hit.words)
        else:
            dropped.append((hit, reason))
    return Selection(tuple(chosen), tuple(dropped), purse.spent, seen)


def _refusal(
    hit: Ranked,
    chosen: Sequence[Ranked],
    words: set[int],
    options: RecallOptions,
    same: Callable[[Ranked, Ranked], bool],
    purse: _Purse,
) -> Drop | None:
    if hit.words in words and any(same(hit, other) for other in chosen):
        return Drop.DUPLICATE
    if len(chosen) >= options.limit:
        return Drop.LIMIT
    return None if purse.pay(hit.item) else Drop.BUDGET


class _Purse:
    """The tokens that are left; a heading is paid for once."""

    def __init__(
        self, budget: int, show: Callable[[MemoryItem], Shown], count_tokens: Callable[[str], int]
    ) -> None:
        self._budget = budget
        self._show = show
        self._count = count_tokens
        self._headings: set[str] = set()
        self._refused = 0
        self.spent = 0

    def pay(self, item: MemoryItem) -> bool:
        """Whether there was enough; if not, nothing is spent."""
        if self._refused >= MOST_REFUSED:
            return False
        shown = self._show(item)
        cost = self._count(shown.line)
        if shown.heading not in self._headings:
            cost += self._count(shown.heading) if shown.heading else 0
        if self.spent + cost > self._budget:
            self._refused += 1
            return False
        self._headings.add(shown.heading)
        self.spent += cost
        return True
