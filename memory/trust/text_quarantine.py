"""Quarantines memories whose text looks planted, whoever writes them and by which call. Pure.

Every write of a text that `suspicious_sentences` does not split asks here:
changes by id, what is taken back, imports.
"""

from __future__ import annotations

from dataclasses import replace

from ..model.doubts import MAX_DOUBTS
from ..model.types import Doubt, MemoryItem, MemoryStatus
from .quarantine import judge_text
from .suspicious_sentences import doubts_about

_HOLDS = frozenset({MemoryStatus.ACTIVE, MemoryStatus.QUARANTINED})


def planting_doubts(item: MemoryItem, whose: str) -> tuple[Doubt, ...]:
    """Why its text looks planted, in words of `whose`; nothing if a person validated it."""
    if item.provenance.validated_at is not None:
        return ()
    return doubts_about(judge_text(item.text, whose), whose)


def held(item: MemoryItem, doubts: tuple[Doubt, ...]) -> MemoryItem:
    """The memory with these doubts: recalled only after a person validated it.

    What no longer holds goes to the archive, from which nothing is recalled.
    """
    if not doubts:
        return item
    origin = replace(
        item.provenance,
        flags=tuple(sorted({*item.provenance.flags, *(doubt.kind for doubt in doubts)})),
        reasons=tuple(dict.fromkeys((*item.provenance.reasons, *doubts)))[:MAX_DOUBTS],
    )
    if item.status in _HOLDS:
        return replace(item, status=MemoryStatus.QUARANTINED, provenance=origin)
    before = origin.archived_from or item.status
    if before is MemoryStatus.ACTIVE:
        before = MemoryStatus.QUARANTINED
    archived = replace(
        origin, archived_from=before, archived_at=origin.archived_at or item.updated_at
    )
    return replace(item, status=MemoryStatus.ARCHIVED, provenance=archived)
