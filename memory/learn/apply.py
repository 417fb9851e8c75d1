"""Carrying decisions out, so that doing it twice is the same as doing it once.

    history -> earlier versions -> live rows -> settle

History is written before the memory: after a crash in between, the repetition finds the same ids
and completes the pair. A memory without its history, the other order's gap, could never be told
from one that nobody decided on.

`forget.WriteGuard` sees to it that what is forgotten while a batch is under way stays forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..forget import WriteGuard
from ..ports import Embedder, HistoryLog, VectorStore
from ..types import Decision, EventKind, MemoryEvent, MemoryItem, StoredMemory, utc_now
from .records import Batch, Rows, rows_of


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of a batch."""

    events: list[MemoryEvent]
    taken_back: bool = False
    """Some of it was forgotten while it was written, and removed again."""


class Applier:
    """Writes what was decided to the history and the store."""

    def __init__(
        self,
        store: VectorStore,
        embedder: Embedder,
        history: HistoryLog,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._history = history
        self._clock = clock

    async def apply(
        self, decisions: Sequence[Decision], batch: Batch, guard: WriteGuard
    ) -> Applied:
        """Carry out a batch; `guard` was begun before anything of it was read.

        Decisions about memories that are forgotten, or another scope's, are left out.

        Raises:
            EmbeddingError, StoreError, StateError: something was not written; the same call again
                completes it.
        """
        ids = sorted({decision.memory_id for decision in decisions})
        known = await self._known(ids, batch)
        # Nobody decides about another scope's memory: whatever named it was wrong or hostile.
        left_out = {item.id for item in known.values() if item.scope != batch.scope}
        left_out |= await guard.refused(ids)
        decisions = [each for each in decisions if each.memory_id not in left_out]
        rows = rows_of(decisions, known, batch, now=self._clock(), embedder_id=self._embedder.id)
        await self._write(rows)
        gone = await guard.settle([*rows.versions.values(), *rows.live.values()])
        events = [_event(each, batch) for each in decisions if each.memory_id not in gone]
        return Applied(events, taken_back=bool(gone))

    async def _known(self, ids: Sequence[str], batch: Batch) -> dict[str, MemoryItem]:
        """What is stored under these ids; new ones too, which a crash may have left there."""
        if not ids:
            return {}
        return {item.id: item for item in await self._store.get(batch.scope.tenant, ids)}

    async def _write(self, rows: Rows) -> None:
        if rows.history:
            await self._history.append(rows.history)
        written = [*rows.versions.values(), *rows.live.values()]
        if not written:
            return
        vectors = await self._embedder.embed([item.text for item in written])
        memories = [StoredMemory(i, v) for i, v in zip(written, vectors, strict=True)]
        split = len(rows.versions)
        for part in (memories[:split], memories[split:]):
            if part:
                await self._store.put(part)


def _event(decision: Decision, batch: Batch) -> MemoryEvent:
    kept = decision.event not in {EventKind.NONE, EventKind.DELETE}
    return MemoryEvent(
        event=decision.event,
        id=decision.memory_id,
        new_memory=decision.text if kept else None,
        old_memory=decision.old_text,
        type=decision.type,
        metadata=batch.metadata,
    )
