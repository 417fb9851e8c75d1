"""What a model's answers about stored memories end. Pure.

An answer was given as if the memory were new: an UPDATE means that it replaces the other one, a
NONE that the other one says all of it. What stays because of an answer is never ended by another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..model.types import Decision, EventKind, MemoryItem
from .once import Group

_CHANGES = frozenset({EventKind.UPDATE, EventKind.DELETE})


@dataclass(slots=True)
class Verdicts:
    """What becomes of the memories that were asked about."""

    decisions: list[Decision] = field(default_factory=list)
    settled: list[str] = field(default_factory=list)
    """Ids of those with an answer."""
    _ended: set[str] = field(default_factory=set)
    _stay: set[str] = field(default_factory=set)

    def end(self, decision: Decision, gone: MemoryItem | None, stays: str) -> None:
        """End a memory because another one stays, unless an answer has said otherwise."""
        if gone is None or gone.id in self._stay or stays in self._ended:
            return
        self._ended.add(gone.id)
        self._stay.add(stays)
        self.decisions.append(
            replace(
                decision,
                event=EventKind.DELETE,
                memory_id=gone.id,
                text=decision.text,
                old_text=gone.text,
            )
        )

    def reword(self, decision: Decision, item: MemoryItem) -> None:
        """Give a memory the text that is of both."""
        if item.id not in self._ended and decision.text != item.text:
            self.decisions.append(
                replace(decision, event=EventKind.UPDATE, memory_id=item.id, old_text=item.text)
            )


def verdicts(groups: Mapping[str, Group], known: Mapping[str, MemoryItem]) -> Verdicts:
    """What the answers say, by the id of the memory that was asked about."""
    found = Verdicts()
    for memory_id, group in groups.items():
        if any(one.pending for one in group):
            continue
        found.settled.append(memory_id)
        for one in group:
            other = known.get(one.memory_id)
            if one.event is EventKind.NONE:
                found.end(one, known.get(memory_id), one.memory_id)
            elif one.event in _CHANGES:
                found.end(one, other, memory_id)
            if one.event is EventKind.UPDATE and memory_id in known:
                found.reword(one, known[memory_id])
    return found
