"""Chooses what a message is shown of what was found. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial

from ..model.types import MemoryItem
from .excerpt import LONG_CHARS, excerpt
from .finding import FoundLines
from .options import RecallOptions
from .rank import Ranked
from .replaced import replaced
from .select import Drop, Selection, Shown, select

NO_WISH = "no wish"
"""Among the flags of a memory as it is shown: an instruction that nobody validated."""


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
    why_not = partial(_why_not, dropped=dropped, visible=visible, unsafe=found.unsafe)
    first = [hit for hit in found.standing.chosen if why_not(hit.item) is None]
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
        excluded=lambda hit: why_not(hit.item) or _too_private(hit, found),
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
    return hit if item is hit.item else replace(hit, item=item)


def _too_private(hit: Ranked, found: FoundLines) -> Drop | None:
    """What is private is shown if it is evidence itself, or stands beside what is (`beside`)."""
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
    unsafe: Collection[str],
) -> Drop | None:
    """Why a memory is not shown, however well it matches."""
    if why := dropped.get(item.id):
        return why
    if item.id in unsafe:
        return Drop.UNSAFE
    return Drop.VISIBLE if is_visible(item, visible) else None
