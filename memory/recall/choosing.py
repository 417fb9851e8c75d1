"""Chooses what a message is shown of what was found. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

from ..types import MemoryItem
from .excerpt import LONG_CHARS, excerpt
from .finding import FoundLines
from .options import RecallOptions
from .rank import Ranked
from .replaced import replaced
from .select import Drop, Selection, Shown, select
from .visible import is_visible


def choose(
    found: FoundLines,
    options: RecallOptions,
    *,
    reserve_tokens: int,
    visible: frozenset[str],
    show: Callable[[MemoryItem], Shown],
    count_tokens: Callable[[str], int],
) -> Selection:
    """Choose within the limit and the budget, less `reserve_tokens`; for `show` see `select`.

    What only turns in `visible` say is left out.
    """
    ranking, total = found.ranking, options.token_budget - reserve_tokens
    dropped = replaced([*found.standing.chosen, *ranking.ranked], found.contradicted)

    def why_not(hit: Ranked) -> Drop | None:
        seen = Drop.VISIBLE if is_visible(hit.item, visible) else None
        return dropped.get(hit.item.id) or seen

    first = [hit for hit in found.standing.chosen if why_not(hit) is None]
    return select(
        ranking.ranked,
        options,
        token_budget=total,
        first=first,
        first_tokens=total if found.standing.broad else min(total, options.profile.tokens),
        total_tokens=total,
        later=found.beside.later,
        fill=found.beside.fill,
        same=ranking.same,
        show=show,
        count_tokens=count_tokens,
        seen=ranking.seen,
        excluded=lambda hit: why_not(hit) or _too_private(hit, found, options),
        shorten=partial(_shortened, terms=ranking.terms),
    )


def _shortened(hit: Ranked, terms: Collection[str]) -> Ranked:
    """The memory as it is shown: of a long one, its best sentences."""
    if len(hit.item.text) <= LONG_CHARS:
        return hit
    return replace(hit, item=replace(hit.item, text=excerpt(hit.item.text, terms)))


def _too_private(hit: Ranked, found: FoundLines, options: RecallOptions) -> Drop | None:
    """What is private must be evidence by itself."""
    if hit.item.id in found.private and hit.evidence < options.evidence:
        return Drop.PRIVATE
    return None
