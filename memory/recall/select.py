"""Selects ranked memories within the bounds of a recall. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from ..model.types import MemoryItem
from .options import RecallOptions
from .rank import Ranked

MOST_REFUSED = 8
"""After this many memories that are too long, the budget counts as spent: counting tokens costs."""


class Drop(StrEnum):
    """Why a memory was not selected."""

    THRESHOLD = "threshold"
    """None of its own signals passes a threshold."""
    CONTRADICTED = "contradicted"
    """The user said something else later."""
    REMEMBERED = "remembered"
    """Said in a turn from which a memory was learned that is relevant too."""
    VISIBLE = "visible"
    """Said in the same conversation, where the model sees it."""
    DUPLICATE = "duplicate"
    """Says the same as a better memory."""
    PRIVATE = "private"
    """About health, money, fear or trouble in the family, and not what is asked for."""
    UNSAFE = "unsafe"
    """An instruction that nobody validated, and that carries or asks for what none may."""
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
    later: Mapping[str, Sequence[Ranked]] = MappingProxyType({}),
    fill: Sequence[Ranked] = (),
    excluded: Callable[[Ranked], Drop | None] = lambda _: None,
    shorten: Callable[[Ranked], Ranked] = lambda hit: hit,
) -> Selection:
    """Take memories in order until the score falls too far, within the limit and the budget.

    A memory that does not fit the budget is left out; a later, shorter one may still fit. Those in
    `first` come before all others with up to `first_tokens` of their own, whatever their scores;
    all together have at most `total_tokens`. `later` has, by the id of a memory, what may be newer
    of the same matter: it is taken before that memory. `fill` takes what is left of the budget.
    `excluded` tells why a memory is not shown however well it matches. `shorten` gives a memory as
    it is shown.
    """
    taken = _Taken(options.limit, same, shorten, _Purse(first_tokens, show, count_tokens))
    for hit in first:
        taken.standing(hit)
    total = token_budget if total_tokens is None else total_tokens
    taken.purse.add(min(token_budget, total - taken.purse.spent))
    dropped: dict[str, tuple[Ranked, Drop]] = {}
    for hit in ranked:
        for newer in later.get(hit.item.id, ()) if hit.relevant and not taken.ended else ():
            if excluded(hit) is None and excluded(newer) is None:
                taken.refusal(newer)
        if reason := taken.matched(hit, options, excluded):
            dropped[hit.item.id] = (hit, reason)
    # The fill is beside what answers, never alone.
    for hit in fill if taken.best > -math.inf else ():
        if excluded(hit) is None:
            taken.refusal(hit)
    return Selection(
        tuple(taken.chosen),
        tuple(pair for name, pair in dropped.items() if name not in taken.ids),
        taken.purse.spent,
        seen,
    )


class _Taken:
    """What is chosen so far."""

    def __init__(
        self,
        limit: int,
        same: Callable[[Ranked, Ranked], bool],
        shorten: Callable[[Ranked], Ranked],
        purse: _Purse,
    ) -> None:
        self.chosen: list[Ranked] = []
        self.ids: set[str] = set()
        self.first = 0
        self.best = self._before = -math.inf
        """The best score of a chosen match, and the score of the match before."""
        self.ended = False
        """Whether the scores have fallen too far."""
        self.purse = purse
        self._limit = limit
        self._same = same
        self._shorten = shorten
        self._words: set[int] = set()

    def standing(self, hit: Ranked) -> None:
        """Take one that the limit does not count."""
        shown = self._shorten(hit)
        if not self._has(shown) and self.purse.pay(shown.item):
            self._take(shown)
            self.first += 1

    def matched(
        self, hit: Ranked, options: RecallOptions, excluded: Callable[[Ranked], Drop | None]
    ) -> Drop | None:
        """Take a hit of the ranking, or tell why not."""
        if hit.item.id in self.ids:
            return None
        if reason := (None if hit.relevant else Drop.THRESHOLD) or excluded(hit):
            return reason
        if self.best > -math.inf and not self.ended:
            far = hit.score < options.cut * self.best
            self.ended = far or hit.score < (1 - options.gap) * self._before
        self._before = hit.score
        reason = Drop.CUT if self.ended else self.refusal(hit)
        if reason is None:
            self.best = max(self.best, hit.score)
        return reason

    def refusal(self, hit: Ranked) -> Drop | None:
        """Take it, or tell why not. None also for one that is taken already."""
        if hit.item.id in self.ids:
            return None
        shown = self._shorten(hit)
        if self._has(shown):
            return Drop.DUPLICATE
        if len(self.chosen) - self.first >= self._limit:
            return Drop.LIMIT
        if not self.purse.pay(shown.item):
            return Drop.BUDGET
        self._take(shown)
        return None

    def _take(self, shown: Ranked) -> None:
        self.chosen.append(shown)
        self.ids.add(shown.item.id)
        self._words.add(shown.words)

    def _has(self, hit: Ranked) -> bool:
        return hit.words in self._words and any(self._same(hit, one) for one in self.chosen)


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
