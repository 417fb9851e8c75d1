"""Drops decisions of a batch whose evidence is gone. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..model.types import Decision, EventKind

_WORDED = frozenset({EventKind.ADD, EventKind.QUARANTINE, EventKind.UPDATE})


def cited(decisions: Sequence[Decision]) -> set[str]:
    """The ids that the decisions stand on."""
    return {name for each in decisions for name in each.cites}


def grounded(decisions: Sequence[Decision], gone: Collection[str]) -> list[Decision]:
    """The decisions without those that cite a memory that is gone, or what fell with it.

    What is said of a topic falls with a memory that it was condensed from, and the others are then
    not archived in its favour.
    """
    lost, kept = set(gone), list(decisions)
    while falling := [each for each in kept if not lost.isdisjoint(each.cites)]:
        lost |= {each.memory_id for each in falling if each.event in _WORDED}
        kept = [each for each in kept if each not in falling]
    return kept
