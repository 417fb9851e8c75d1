"""Completes lines of earlier exports to this version's format. Pure.

The formats 1 and 2 are those of the commits before data had a format (`model.format`): an export is
how what they kept is brought over.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..model.types import Doubt, MemoryItem, MemoryStatus, MemoryType, Source

LAST = 2
"""The last format of theirs."""
_EXACT, _QUANTISED = "all-MiniLM-L6-v2", "all-MiniLM-L6-v2-int8"
_OWN = frozenset({Source.USER, Source.EXTRACTION})
"""Of an episode: in the user's own words, or in a model's."""


def present_id(stored: str) -> str:
    """What the embedder that had this id is called now.

    Whether MiniLM multiplied in 8-bit integers was a choice, and had ids of its own. Both kinds of
    vectors are compared with each other: of 1,536 questions on eighteen sets, recall among the ten
    nearest differs by 0.2 points.
    """
    return stored.replace(_QUANTISED, _EXACT, 1) if stored.startswith(_QUANTISED) else stored


def as_now(item: MemoryItem) -> MemoryItem:
    """The memory of a line of theirs."""
    origin, active = item.provenance, item.status is MemoryStatus.ACTIVE
    lacks: dict[str, Any] = {}
    said = item.updated_at
    if origin.flags and not origin.reasons:
        lacks["reasons"] = tuple(map(Doubt, origin.flags))
    if origin.flags and active and origin.validated_at is None:
        # Nothing else made active what is flagged.
        lacks["validated_at"] = item.updated_at
    if item.status is MemoryStatus.ARCHIVED and origin.archived_from is None:
        # It was updated when it was archived: the time it is about is the time it was said.
        lacks |= {"archived_from": _was(item), "archived_at": item.updated_at}
        said = item.valid_from or item.created_at
    if origin.stretch is None and _is_episode(item):
        lacks["stretch"] = origin.turn_ids[0]
    if not lacks:
        return item
    return replace(item, updated_at=said, provenance=replace(origin, **lacks))


def _was(item: MemoryItem) -> MemoryStatus:
    """The status that an archived memory had."""
    if item.provenance.superseded_by is not None or item.valid_to is not None:
        return MemoryStatus.SUPERSEDED
    return MemoryStatus.QUARANTINED if item.provenance.flags else MemoryStatus.ACTIVE


def _is_episode(item: MemoryItem) -> bool:
    """Whether it tells all that was said in its turns: a fact has the words it follows from."""
    origin = item.provenance
    if not origin.turn_ids or origin.cites or item.type is not MemoryType.EPISODIC:
        return False
    return origin.quote is None and origin.given is None and origin.source in _OWN
