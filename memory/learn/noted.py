"""Notes which memories a batch confirmed or corrected."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from ..model.errors import StateError
from ..model.ports import UsageCounters
from ..model.types import Decision, EventKind, MemoryEvent, utc_now
from ..model.usage import UseKind
from .records import Batch

log = logging.getLogger(__name__)

_CORRECTIONS = frozenset({EventKind.UPDATE, EventKind.DELETE})


def uses_of(
    decisions: Sequence[Decision], events: Sequence[MemoryEvent]
) -> dict[UseKind, frozenset[str]]:
    """The memories that a batch used, by kind; `events` are what was made of its decisions.

    A memory is confirmed if the user said it again, not if the assistant or a tool did, and not if
    it is new in this batch.
    """
    done = {(event.event, event.id) for event in events}
    made = [each for each in decisions if (each.event, each.memory_id) in done]
    new = {each.memory_id for each in made if each.event in {EventKind.ADD, EventKind.QUARANTINE}}
    return {
        UseKind.CONFIRMED: frozenset(
            each.memory_id
            for each in made
            if each.event is EventKind.NONE and not (each.source.is_hearsay or each.flags)
        )
        - new,
        UseKind.CORRECTED: frozenset(each.memory_id for each in made if each.event in _CORRECTIONS)
        - new,
    }


async def note_uses(
    usage: UsageCounters,
    batch: Batch,
    decisions: Sequence[Decision],
    events: Sequence[MemoryEvent],
) -> None:
    """Count them once for the batch. A failure is logged: the memories are learned already."""
    for use, ids in uses_of(decisions, events).items():
        if not ids:
            continue
        try:
            await usage.count(batch.scope.tenant, use, sorted(ids), occasion=batch.id, at=utc_now())
        except StateError as error:
            log.warning("%d memories are not counted as %s: %s", len(ids), use.value, error)
