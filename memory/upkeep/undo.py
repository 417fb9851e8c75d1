"""Plans how a run of upkeep is taken back. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..learn.records import about_stored, grounds_of, version_id
from ..model.endings import began
from ..model.types import Decision, EventKind, MemoryItem, MemoryStatus
from ..model.upkeep import RunChange, UpkeepRun

STAGE = "undo"
_RETURN = frozenset({EventKind.DELETE, EventKind.ARCHIVE})
_MADE = frozenset({EventKind.ADD, EventKind.QUARANTINE, EventKind.VALIDATE})
"""What these made known is ended: a conclusion that a run confirmed, too."""
_AWAY = frozenset({MemoryStatus.SUPERSEDED, MemoryStatus.ARCHIVED})


@dataclass(frozen=True, slots=True)
class Undoing:
    """The decisions that take a run back."""

    decisions: tuple[Decision, ...]
    kept: Mapping[str, str]
    """By id, why a memory is left as it is: somebody changed it since, or it is gone."""


def batch_of(run: UpkeepRun) -> str:
    """The name of the batch that takes a run back: repeating it changes nothing."""
    return f"{STAGE}:{run.id}"


def undoing(run: UpkeepRun, known: Mapping[str, MemoryItem]) -> Undoing:
    """Take back what still is as the run left it, the last change first.

    `known` are the stored memories by id, with the earlier versions of what was reworded
    (`versions_of`).
    """
    decisions: list[Decision] = []
    kept: dict[str, str] = {}
    for change in reversed(run.changes):
        item = known.get(change.memory_id)
        if item is None:
            kept[change.memory_id] = "it is gone"
        elif item.provenance.batch == batch_of(run):
            continue
        elif item.version != change.version:
            kept[change.memory_id] = "it was changed since"
        elif (decision := _back(change, item, run, known)) is not None:
            decisions.append(decision)
    return Undoing(tuple(decisions), kept)


def versions_of(run: UpkeepRun) -> list[str]:
    """The ids of the rows that keep what reworded memories said before."""
    return [
        version_id(run.id, change.memory_id)
        for change in run.changes
        if change.event is EventKind.UPDATE
    ]


def _back(
    change: RunChange, item: MemoryItem, run: UpkeepRun, known: Mapping[str, MemoryItem]
) -> Decision | None:
    if change.event in _MADE and item.status not in _AWAY:
        return _decision(EventKind.DELETE, item, item)
    if change.event in _RETURN and item.status in _AWAY:
        return _decision(EventKind.RESTORE, item, item)
    if change.event is EventKind.UPDATE:
        before = known.get(version_id(run.id, change.memory_id))
        return None if before is None else _decision(EventKind.UPDATE, item, before)
    return None


def _decision(event: EventKind, item: MemoryItem, says: MemoryItem) -> Decision:
    origin = says.provenance
    return replace(
        about_stored(item, event, STAGE, "somebody took the run back"),
        text=says.text,
        type=says.type,
        **grounds_of(says),
        matter=origin.matter,
        pending=origin.pending,
        model=origin.model,
        cites=origin.cites,
        stretch=origin.stretch,
        # A text that comes back is as old as it was.
        at=began(says) if event is EventKind.UPDATE else None,
    )
