"""Which of the ranked memories and passages something else takes the place of. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..model.types import MemoryItem, Source
from .rank import Ranked
from .select import Drop


def is_said(item: MemoryItem) -> bool:
    """Whether it is a passage of a turn, not a memory."""
    return item.provenance.source is Source.SAID


def replaced(ranked: Sequence[Ranked], contradicted: Collection[str]) -> dict[str, Drop]:
    """The ids that are not shown, each with the reason.

    A passage is not shown beside a relevant memory that was learned from its turn; whatever
    something later speaks against is not shown at all.
    """
    dropped = dict.fromkeys(contradicted, Drop.CONTRADICTED)
    learned = {
        turn
        for hit in ranked
        if hit.relevant and not is_said(hit.item)
        for turn in hit.item.provenance.turn_ids
    }
    for hit in ranked:
        if is_said(hit.item) and not learned.isdisjoint(hit.item.provenance.turn_ids):
            dropped[hit.item.id] = Drop.REMEMBERED
    return dropped
