"""Which decisions of a batch fall with what they stand on. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ..model.types import Decision, EventKind, MemoryItem, MemoryStatus
from .records import Batch

BACK = ":back"
"""Ends the name of the batch that takes back what a crashed run did on grounds that are gone."""
_MADE = frozenset({EventKind.ADD, EventKind.QUARANTINE})
_WORDED = _MADE | {EventKind.UPDATE}


@dataclass(frozen=True, slots=True)
class Grounded:
    """The decisions of a batch, sorted."""

    kept: list[Decision]
    fallen: list[Decision]


def cited(decisions: Sequence[Decision]) -> set[str]:
    """The ids that the decisions stand on."""
    return {name for each in decisions for name in each.cites}


def grounded(decisions: Sequence[Decision], gone: Collection[str]) -> Grounded:
    """Let fall what cites a memory that is gone, and then what cites what fell.

    What is said of a topic falls with a memory that it was condensed from, and the others are then
    not archived in its favour.
    """
    lost, kept, fallen = set(gone), list(decisions), list[Decision]()
    while falling := [each for each in kept if not lost.isdisjoint(each.cites)]:
        fallen += falling
        lost |= {each.memory_id for each in falling if each.event in _WORDED}
        kept = [each for each in kept if each not in falling]
    return Grounded(kept, fallen)


def left_behind(
    fallen: Sequence[Decision], known: Mapping[str, MemoryItem], batch: Batch
) -> tuple[set[str], list[Decision]]:
    """What a crashed run of the batch did for decisions that fell.

    The ids of the memories that it made, which are to be removed, and the decisions that bring
    back what it archived.
    """
    done = {item.id for item in known.values() if item.provenance.batch == batch.id}
    made = {each.memory_id for each in fallen if each.event in _MADE} & done
    back = [
        replace(each, event=EventKind.RESTORE, cites=())
        for each in fallen
        if each.event is EventKind.ARCHIVE
        and each.memory_id in done
        and known[each.memory_id].status is MemoryStatus.ARCHIVED
    ]
    return made, back
