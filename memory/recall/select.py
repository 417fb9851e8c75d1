"""Selects ranked memories within the bounds of a recall. Pure."""

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
"""After this many memories that are too long, the budget counts as spent: counting tokens costs."""


class Drop(StrEnum):
    """Why a memory was not selected."""

    THRESHOLD = "threshold"
    """None of its own signals passes a threshold."""
    HOLDER = "holder"
    """States something about somebody else, and the question is about the user."""
    CONTRADICTED = "contradicted"
    """The user said something else later."""
    REMEMBERED = "remembered"
    """Said in a turn from which a memory was learned that is relevant too."""
    DUPLICATE = "duplicate"
    """Says the same as a better memory."""
    CUT = "cut"
    """Its score is too far behind the best one, or behind the one before."""
    LIMIT = "limit"
    BUDGET = "budget"


class Shown(NamedTuple):
    """The text of a memory in the prompt: a line, under a heading that several lines may share."""

    heading: str
    line: str


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen memories, best first, and the others with the reason."""

    chosen: tuple[Ranked, ...]
    dropped: tuple[tuple[Ranked, Drop], ...]
    tokens: int = 0
    """Tokens of the chosen memories and their headings."""
    seen: int = 0
    """Memories that were compared; those neither chosen nor dropped were ranked too low."""


def select(
    ranked: Sequence[Ranked],
    options: RecallOptions,
    *,
    token_budget: int,
    same: Callable[[Ranked, Ranked], bool],
    show: Callable[[MemoryItem], Shown],
    count_tokens: Callable[[str], int],
    seen: int,
    first: Sequence[Ranked] = (),
    first_tokens: int = 0,
    total_tokens: int | None = None,
    excluded: Callable[[MemoryItem], Drop | None] = lambda _: None,
    shorten: Callable[[Ranked], Ranked] = lambda hit: hit,
) -> Selection:
    """Take memories in order until the score falls too far, within the limit and the budget.

    A memory that does not fit the budget is left out; a later, shorter one may still fit. Those in
    `first` come before all others with up to `first_tokens` of their own, whatever their scores;
    all together have at most `total_tokens`.
    `excluded` tells why a memory is not shown however well it matches. `shorten` gives a memory as
    it is shown.
    """
    chosen: list[Ranked] = []
    dropped: list[tuple[Ranked, Drop]] = []
    words: set[int] = set()
    before = -math.inf
    purse = _Purse(first_tokens, show, count_tokens)
    for hit in first:
        shown = shorten(hit)
        if not (hit.words in words and any(same(hit, other) for other in chosen)) and purse.pay(
            shown.item
        ):
            chosen.append(shown)
            words.add(hit.words)
    standing = {hit.item.id for hit in chosen}
    total = token_budget if total_tokens is None else total_tokens
    purse.add(min(token_budget, total - purse.spent))
    matched = 0
    ended = False
    for hit in ranked:
        if hit.item.id in standing:
            continue
        if not hit.relevant:
            dropped.append((hit, Drop.THRESHOLD))
            continue
        if not ended and (why := excluded(hit.item)):
            dropped.append((hit, why))
            continue
        if matched and not ended:
            best = chosen[len(standing)].score
            ended = hit.score < options.cut * best or hit.score < (1 - options.gap) * before
        before = hit.score
        shown = hit if ended else shorten(hit)
        reason = (
            Drop.CUT if ended else _refusal(shown, chosen, words, matched, options, same, purse)
        )
        if reason is None:
            chosen.append(shown)
            words.add(hit.words)
            matched += 1
        else:
            dropped.append((hit, reason))
    return Selection(tuple(chosen), tuple(dropped), purse.spent, seen)


def _refusal(
    hit: Ranked,
    chosen: Sequence[Ranked],
    words: set[int],
    matched: int,
    options: RecallOptions,
    same: Callable[[Ranked, Ranked], bool],
    purse: _Purse,
) -> Drop | None:
    if hit.words in words and any(same(hit, other) for other in chosen):
        return Drop.DUPLICATE
    if matched >= options.limit:
        return Drop.LIMIT
    return None if purse.pay(hit.item) else Drop.BUDGET


class _Purse:
    """The tokens that are left; a heading counts once."""

    def __init__(
        self, budget: int, show: Callable[[MemoryItem], Shown], count_tokens: Callable[[str], int]
    ) -> None:
        self._budget = budget
        self._show = show
        self._count = count_tokens
        self._headings: set[str] = set()
        self._refused = 0
        self.spent = 0

    def add(self, tokens: int) -> None:
        """Begin anew with so many tokens more than were spent."""
        self._budget = self.spent + tokens
        self._refused = 0

    def pay(self, item: MemoryItem) -> bool:
        """Spend the tokens of a memory; False, and nothing is spent, if there are not enough."""
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
