"""Decides whether the user's own word lifts the doubt about a quarantined memory. Pure.

What was held back because nobody knew that the user says so becomes their word when they say it: in
the same words, so that nothing else is concluded. What looked planted stays held back, whoever
repeats it, and so does what was concluded from other memories.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..model.doubts import (
    NOT_ASSERTED,
    NOT_BORNE_OUT,
    NOT_STATED,
    REFUTED,
    SOMEBODY_ELSE,
    UNCONFIRMED,
    UNSURE,
)
from ..model.types import Decision, EventKind, MemoryItem, MemoryStatus, Scope, Source
from .reconcile.rules import CHANGE, CONFIRMED
from .records import memory_id

OF_EVIDENCE = frozenset(
    {UNCONFIRMED, REFUTED, UNSURE, NOT_ASSERTED, SOMEBODY_ELSE, NOT_STATED, NOT_BORNE_OUT}
)
"""The doubts about whether the user says so; all others are about what a text does."""


def held_id(scope: Scope, text: str) -> str:
    """The id under which a text of a scope is held back.

    Not derived from a batch: a text that is planted ten times is one row to review.
    """
    return memory_id(f"quarantine|{scope.partition}|{scope.ids()}", text)


def is_only_unproven(item: MemoryItem) -> bool:
    """Whether a memory is held back for want of evidence alone."""
    origin = item.provenance
    return (
        item.status is MemoryStatus.QUARANTINED
        and bool(origin.flags)
        and OF_EVIDENCE.issuperset(origin.flags)
        and origin.source is not Source.REFLECTION
        and not origin.cites
    )


def confirmed(decision: Decision, held: Mapping[str, MemoryItem], scope: Scope) -> Decision:
    """The decision about the memory with the same text that was held back, if there is one.

    Only of what is new and the user's own word. `held` are stored memories by id.
    """
    if decision.event is not EventKind.ADD or decision.source.is_hearsay:
        return decision
    item = held.get(held_id(scope, decision.text))
    if item is None or item.scope != scope or item.text != decision.text:
        return decision
    if not is_only_unproven(item):
        return decision
    return replace(
        decision,
        event=EventKind.UPDATE,
        memory_id=item.id,
        old_text=item.text,
        type=item.type,
        stage=CHANGE,
        reason=CONFIRMED,
        # The turns that it was read from before say it too.
        turn_ids=tuple(dict.fromkeys((*item.provenance.turn_ids, *decision.turn_ids))),
        matter=None if decision.matter == decision.memory_id else decision.matter,
    )
