"""Carrying decisions out, so that doing it twice is the same as doing it once.

History is written before the memory: after a crash in between, the repetition finds the same ids
and completes the pair. A memory without its history, the other order's gap, could never be told
from one that nobody decided on.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from ..ports import HistoryLog, VectorStore
from ..types import (
    Decision,
    EventKind,
    HistoryRecord,
    MemoryEvent,
    MemoryItem,
    Provenance,
    Scope,
    StoredMemory,
    Vectors,
)

_HISTORY_IDS = uuid.UUID("6f0b5bd0-5b0e-4f0e-9a39-7d3e6f1a2c44")


def history_record(decision: Decision, scope: Scope, *, batch: str, at: datetime) -> HistoryRecord:
    """The audit row of a decision; the same decision of the same batch has the same id."""
    return HistoryRecord(
        id=str(
            uuid.uuid5(
                _HISTORY_IDS, f"{batch}|{decision.memory_id}|{decision.event}|{decision.text}"
            )
        ),
        memory_id=decision.memory_id,
        event=decision.event,
        old_value=decision.old_text,
        new_value=None if decision.event is EventKind.DELETE else decision.text,
        timestamp=at,
        is_deleted=decision.event is EventKind.DELETE,
        scope=scope,
    )


async def apply(
    decisions: Sequence[Decision],
    vectors: Vectors,
    *,
    scope: Scope,
    batch: str,
    at: datetime,
    now: datetime,
    store: VectorStore,
    history: HistoryLog,
    embedder_id: str,
    provenance: Provenance,
    metadata: Mapping[str, Any],
) -> list[MemoryEvent]:
    """Carry out decisions; `vectors` is ``float32[len(decisions), dim]``.

    `batch` names what the decisions came from (a job, one call of `add`): repeating a batch changes
    nothing. `at` is when the facts were said, `now` when they are written down. The memories are
    numbered on from the `sequence` of `provenance`.

    Raises:
        StoreError, StateError: something was not written; the same call again completes it.
    """
    known = await _known(decisions, scope, store)
    written: list[tuple[Decision, StoredMemory]] = []
    for number, (decision, vector) in enumerate(zip(decisions, vectors, strict=True)):
        if decision.event in {EventKind.ADD, EventKind.UPDATE}:
            item = _item(
                decision,
                known.get(decision.memory_id),
                scope,
                at,
                embedder_id,
                replace(provenance, sequence=provenance.sequence + number),
                metadata,
            )
            written.append((decision, StoredMemory(item, vector)))
    if written:
        await history.append(
            [history_record(d, m.item.scope, batch=batch, at=now) for d, m in written]
        )
        # The last decision about an id wins: a store may not see two rows with one id at once.
        await store.put(list({memory.item.id: memory for _, memory in written}.values()))
    return [_event(decision, metadata) for decision in decisions]


async def _known(
    decisions: Sequence[Decision], scope: Scope, store: VectorStore
) -> dict[str, MemoryItem]:
    updated = [d.memory_id for d in decisions if d.event is EventKind.UPDATE]
    if not updated:
        return {}
    return {item.id: item for item in await store.get(scope.tenant, updated)}


def _item(
    decision: Decision,
    known: MemoryItem | None,
    scope: Scope,
    at: datetime,
    embedder_id: str,
    provenance: Provenance,
    metadata: Mapping[str, Any],
) -> MemoryItem:
    provenance = replace(provenance, quote=decision.quote)
    if known is not None:
        return replace(
            known,
            text=decision.text,
            type=decision.type,
            updated_at=at,
            embedder_id=embedder_id,
            provenance=provenance,
            metadata={**known.metadata, **metadata},
        )
    return MemoryItem(
        id=decision.memory_id,
        text=decision.text,
        type=decision.type,
        scope=scope,
        created_at=at,
        updated_at=at,
        valid_from=at,
        embedder_id=embedder_id,
        provenance=provenance,
        metadata=dict(metadata),
    )


def _event(decision: Decision, metadata: Mapping[str, Any]) -> MemoryEvent:
    return MemoryEvent(
        event=decision.event,
        id=decision.memory_id,
        new_memory=decision.text if decision.event is not EventKind.NONE else None,
        old_memory=decision.old_text,
        type=decision.type,
        metadata=metadata,
    )
