"""Selects what a message is shown of what was found, within the bounds of a recall. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from ..model.types import MemoryItem, Source
from .excerpt import LONG_CHARS, excerpt
from .index.entry import is_left
from .options import RecallOptions
from .ranking import Expansion, Ranked
from .retrieval import RetrievedLines

MOST_REFUSED = 8
"""After this many memories that are too long, the budget counts as spent: counting tokens costs."""


class Drop(StrEnum):
    """Why a memory was not selected."""

    THRESHOLD = "threshold"
    """It hardly bears on the message, or much less than the best one."""
    CONTRADICTED = "contradicted"
    """The user said something else later."""
    REMEMBERED = "remembered"
    """Said in a turn from which a memory was learned that is relevant too; or the episode of a few
    turns, one of which told what is relevant."""
    VISIBLE = "visible"
    """Said in the same conversation, where the model sees it."""
    DUPLICATE = "duplicate"
    """Says the same as a better memory."""
    PRIVATE = "private"
    """About health, money, fear or trouble in the family, and not what is asked for."""
    NOT_NOW = "not_now"
    """Somebody did not want it for such a question."""
    UNSAFE = "unsafe"
    """An instruction that nobody validated, and that carries or asks for what none may."""
    WITHHELD = "withheld"
    """A policy keeps it from the model that would read it (`trust.policy`)."""
    LIMIT = "limit"
    BUDGET = "budget"


class Shown(NamedTuple):
    """The text of a memory in the prompt: a line, under a heading that several lines may share."""

    heading: str
    line: str


def as_it_is(item: MemoryItem) -> Shown:
    """A memory as its text, under no heading."""
    return Shown("", item.text)


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen memories, best first, and the others with the reason."""

    chosen: tuple[Ranked, ...]
    dropped: tuple[tuple[Ranked, Drop], ...]
    tokens: int = 0
    """Tokens of the chosen memories and their headings."""
    seen: int = 0
    """Memories that were compared; those neither chosen nor dropped were ranked too low."""
    for_tool: bool = False
    """Whether a tool does what the message orders: only procedures were compared."""


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
    later: Mapping[str, Sequence[Ranked]] = MappingProxyType({}),
    excluded: Callable[[Ranked], Drop | None] = lambda _: None,
    shorten: Callable[[Ranked], Ranked] = lambda hit: hit,
) -> Selection:
    """Take the relevant memories in order, within the limit and the budget.

    A memory that does not fit the budget is left out; a later, shorter one may still fit. Those in
    `first` come before all others with up to `first_tokens` of the budget, whatever their scores.
    `later` has, by the id of a memory, what may be newer of the same matter: it is taken before
    that memory. `excluded` tells why a memory is not shown however well it matches. `shorten` gives
    a memory as it is shown.
    """
    budget = _TokenBudget(first_tokens, show, count_tokens)
    taken = _Taken(options.limit, same, shorten, budget)
    for hit in first:
        taken.take_pinned(hit)
    budget.raise_to(token_budget)
    dropped: dict[str, tuple[Ranked, Drop]] = {}
    for hit in ranked:
        if not hit.relevant:
            dropped[hit.item.id] = (hit, Drop.THRESHOLD)
            continue
        if (newer := later.get(hit.item.id)) and excluded(hit) is None:
            taken.take_all(newer, excluded)
        if reason := taken.matched(hit, excluded):
            dropped[hit.item.id] = (hit, reason)
    return Selection(
        tuple(taken.chosen),
        tuple([pair for name, pair in dropped.items() if name not in taken.ids]),
        budget.spent,
        seen,
    )


class _Taken:
    """The lines chosen so far."""

    def __init__(
        self,
        limit: int,
        same: Callable[[Ranked, Ranked], bool],
        shorten: Callable[[Ranked], Ranked],
        budget: _TokenBudget,
    ) -> None:
        self.chosen: list[Ranked] = []
        self.ids: set[str] = set()
        self.first = 0
        self._budget = budget
        self._limit = limit
        self._same = same
        self._shorten = shorten
        self._words: set[int] = set()
        self._waiting: dict[str, list[Ranked]] = {}
        """By the id of a hit that is not shown so far, what only it leads to."""

    def take_pinned(self, hit: Ranked) -> None:
        """Take one that the limit does not count."""
        shown = self._shorten(hit)
        if not self._has(shown) and self._budget.pay(shown.item):
            self._take(shown)
            self.first += 1

    def matched(self, hit: Ranked, excluded: Callable[[Ranked], Drop | None]) -> Drop | None:
        """Take a relevant hit of the ranking, or tell why not."""
        if hit.item.id in self.ids:
            return None
        if reason := excluded(hit):
            return reason
        if hit.step is not None and (hit.step.seed in self.ids or hit.step.alone):
            return self._expanded(hit, hit.step)
        return self.refusal(hit)

    def _expanded(self, hit: Ranked, step: Expansion) -> Drop | None:
        """What a shown hit leads to is shown with it, however far its own score is behind."""
        if step.seed in self.ids:
            return self.refusal(hit)
        self._waiting.setdefault(step.seed, []).append(hit)
        return Drop.THRESHOLD

    def take_all(self, hits: Iterable[Ranked], excluded: Callable[[Ranked], Drop | None]) -> None:
        """Take those that may be shown, as far as there is room."""
        for hit in hits:
            if self._is_full:
                return
            if excluded(hit) is None:
                self.refusal(hit)

    def refusal(self, hit: Ranked) -> Drop | None:
        """Take it, or tell why not. None also for one that is taken already."""
        if hit.item.id in self.ids:
            return None
        shown = self._shorten(hit)
        if self._has(shown):
            return Drop.DUPLICATE
        if len(self.chosen) - self.first >= self._limit:
            return Drop.LIMIT
        if not self._budget.pay(shown.item):
            return Drop.BUDGET
        self._take(shown)
        return None

    @property
    def _is_full(self) -> bool:
        return self._budget.is_spent or len(self.chosen) - self.first >= self._limit

    def _take(self, shown: Ranked) -> None:
        self.chosen.append(shown)
        self.ids.add(shown.item.id)
        self._words.add(shown.words)
        for expanded in self._waiting.pop(shown.item.id, ()):
            self.refusal(expanded)

    def _has(self, hit: Ranked) -> bool:
        return hit.words in self._words and any(self._same(hit, one) for one in self.chosen)


class _TokenBudget:
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

    def raise_to(self, tokens: int) -> None:
        """Have so many tokens in all, and begin anew with what does not fit."""
        self._budget = tokens
        self._refused = 0

    @property
    def is_spent(self) -> bool:
        return self._refused >= MOST_REFUSED

    def pay(self, item: MemoryItem) -> bool:
        """Spend the tokens of a memory; False, and nothing is spent, if there are not enough."""
        if self.is_spent:
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


def is_said(item: MemoryItem) -> bool:
    """Whether it is a passage of a turn, not a memory."""
    return item.provenance.source is Source.SAID


FEW_TURNS = 3
"""Of a conversation whose facts tell all of it."""


def is_brief(item: MemoryItem) -> bool:
    """Whether it is the episode of a few turns."""
    origin = item.provenance
    return origin.stretch is not None and len(origin.turn_ids) <= FEW_TURNS


def replaced(ranked: Sequence[Ranked], contradicted: Collection[str]) -> dict[str, Drop]:
    """The ids that are not shown, each with the reason.

    A passage is not shown beside a relevant memory that was learned from its turn; whatever
    something later speaks against is not shown at all. The episode of a short talk only repeats
    what was said in it, so it is not shown beside that.
    """
    dropped = dict.fromkeys(contradicted, Drop.CONTRADICTED)
    items = [hit.item for hit in ranked]
    said = [item for item in items if item.provenance.source is Source.SAID and not is_left(item)]
    brief = [item for item in items if item.provenance.stretch is not None and is_brief(item)]
    if not said and not brief:
        return dropped
    learned = _turns(hit for hit in ranked if not is_said(hit.item))
    for item in said:
        if not learned.isdisjoint(item.provenance.turn_ids):
            dropped[item.id] = Drop.REMEMBERED
    if brief:
        told = learned | _turns(hit for hit in ranked if is_said(hit.item))
        for item in brief:
            if not told.isdisjoint(item.provenance.turn_ids):
                dropped[item.id] = Drop.REMEMBERED
    return dropped


def _turns(hits: Iterable[Ranked]) -> set[str]:
    """The turns whose words the relevant ones of these have."""
    return {turn for hit in hits if hit.relevant for turn in hit.item.provenance.replaces}


NO_WISH = "no wish"
"""Among the flags of a memory as it is shown: an instruction that nobody validated."""


def choose(
    found: RetrievedLines,
    options: RecallOptions,
    *,
    reserve_tokens: int,
    visible: frozenset[str],
    searched: frozenset[str] = frozenset(),
    show: Callable[[MemoryItem], Shown],
    count_tokens: Callable[[str], int],
) -> Selection:
    """Choose within the limit and the budget, less `reserve_tokens`; for `show` see `select`.

    What only turns in `visible` say is left out. What only those in `searched` say is pinned, and
    stands beside an earlier memory of the same matter, but is no match of its own.
    """
    ranking, total = found.ranking, options.token_budget - reserve_tokens
    dropped = replaced([*found.pinned.chosen, *ranking.ranked], found.contradicted)
    dropped |= dict.fromkeys(found.put_off, Drop.NOT_NOW)
    why_not = partial(_why_not, dropped=dropped, visible=visible, found=found)
    first = [hit for hit in found.pinned.chosen if why_not(hit.item) is None]
    later = {hit.item.id for newer in found.related.later.values() for hit in newer}

    def excluded(hit: Ranked) -> Drop | None:
        there = searched and hit.item.id not in later and is_visible(hit.item, searched)
        return why_not(hit.item) or _too_private(hit, found) or (Drop.VISIBLE if there else None)

    return select(
        ranking.ranked,
        options,
        token_budget=total,
        first=first,
        first_tokens=total if found.pinned.broad else min(total, options.tuning.profile_tokens),
        later=found.related.later,
        same=ranking.same,
        show=show,
        count_tokens=count_tokens,
        seen=ranking.seen,
        excluded=excluded,
        shorten=partial(_shown, terms=ranking.terms, unfit=found.unfit),
    )


def _shown(hit: Ranked, terms: Collection[str], unfit: Collection[str]) -> Ranked:
    """The memory as it is shown: of a long one, its best sentences; marked if it is no wish."""
    item = hit.item
    if item.id in unfit:
        flags = (*item.provenance.flags, NO_WISH)
        item = replace(item, provenance=replace(item.provenance, flags=flags))
    if len(item.text) > LONG_CHARS:
        item = replace(item, text=excerpt(item.text, terms))
    return hit if item is hit.item else hit._replace(item=item)


def _too_private(hit: Ranked, found: RetrievedLines) -> Drop | None:
    """What is private is shown if it is evidence itself, or stands beside what is (`related`)."""
    return Drop.PRIVATE if not hit.role and hit.item.id in found.private else None


def is_visible(item: MemoryItem, turns: frozenset[str]) -> bool:
    """Whether all that it says is in these turns.

    What was changed since may say more than they do, or something else.
    """
    said_in = item.provenance.turn_ids
    return bool(said_in) and item.version == 1 and turns.issuperset(said_in)


def _why_not(
    item: MemoryItem,
    *,
    dropped: Mapping[str, Drop],
    visible: frozenset[str],
    found: RetrievedLines,
) -> Drop | None:
    """Why a memory is not shown, however well it matches."""
    if item.id in found.withheld:
        return Drop.WITHHELD
    if why := dropped.get(item.id):
        return why
    if item.id in found.unsafe:
        return Drop.UNSAFE
    return Drop.VISIBLE if visible and is_visible(item, visible) else None
