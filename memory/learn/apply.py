"""Applies decisions idempotently.

    history -> earlier versions -> live rows -> settle

History is written before the memory: after a crash in between, the next run finds the same ids and
completes the pair. In the other order, a memory could be left without history.

`forget.WriteGuard` keeps memories that are forgotten during a batch from coming back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..forget import WriteGuard
from ..model.ports import Confirm, Embedder, HistoryLog, MemoryLocks, VectorStore
from ..model.types import Decision, EventKind, MemoryEvent, MemoryItem, StoredMemory, utc_now
from .records import Batch, Rows, rows_of
from .stale import holding, named

_CHANGES = frozenset({EventKind.UPDATE, EventKind.DELETE, EventKind.QUARANTINE})


@dataclass(frozen=True, slots=True)
class Applied:
    """The result of a batch."""

    events: list[MemoryEvent]
    taken_back: bool = False
    """Some rows were forgotten while the batch was written, and removed again."""


@dataclass(frozen=True, slots=True)
class Applier:
    """Writes decisions to the history and the store."""

    store: VectorStore
    embedder: Embedder
    history: HistoryLog
    locks: MemoryLocks
    clock: Callable[[], datetime] = utc_now

    async def apply(
        self, decisions: Sequence[Decision], batch: Batch, guard: WriteGuard
    ) -> Applied:
        """Apply a batch; `guard` must have been made before anything of the batch was read.

        Decisions about forgotten memories or another scope's memories are left out. Of a memory
        that somebody changed since the decision, the later text stays (`stale`).

        Raises:
            EmbeddingError, StoreError, StateError: the write is incomplete; call it again.
            ConflictError: somebody else changes one of the memories; call it again.
        """
        ids = named(decisions, batch)
        # Nobody else knows the id of a memory that is to be added.
        changed = {each.memory_id for each in decisions if each.event in _CHANGES}
        async with self.locks.hold(batch.scope.tenant, changed) as confirm:
            return await self._apply(decisions, ids, batch, guard, confirm)

    async def _apply(
        self,
        decisions: Sequence[Decision],
        ids: Sequence[str],
        batch: Batch,
        guard: WriteGuard,
        confirm: Confirm,
    ) -> Applied:
        new = {each.memory_id for each in decisions if each.event is EventKind.ADD}
        sought = [name for name in ids if name not in new] if batch.fresh else ids
        known = await self._known(sought, batch)
        # A decision about another scope's memory is a bug or an attack.
        left_out = {item.id for item in known.values() if item.scope != batch.scope}
        left_out |= await guard.refused(ids)
        decisions = [each for each in decisions if each.memory_id not in left_out]
        decisions = holding(decisions, known, batch)
        rows = rows_of(decisions, known, batch, now=self.clock(), embedder_id=self.embedder.id)
        await self._write(rows, confirm)
        gone = await guard.settle([*rows.versions.values(), *rows.live.values()])
        events = [_event(each, batch) for each in decisions if each.memory_id not in gone]
        return Applied(events, taken_back=bool(gone))

    async def _known(self, ids: Sequence[str], batch: Batch) -> dict[str, MemoryItem]:
        """The stored memories of these ids. A crashed run may have left new ones too."""
        if not ids:
            return {}
        return {item.id: item for item in await self.store.get(batch.scope.tenant, ids)}

    async def _write(self, rows: Rows, confirm: Confirm) -> None:
        if rows.history:
            await self.history.append(rows.history)
        written = [*rows.versions.values(), *rows.live.values()]
        if not written:
            return
        vectors = await self.embedder.embed([item.text for item in written])
        memories = [StoredMemory(i, v) for i, v in zip(written, vectors, strict=True)]
        split = len(rows.versions)
        await confirm()
        for part in (memories[:split], memories[split:]):
            if part:
                await self.store.put(part)


def _event(decision: Decision, batch: Batch) -> MemoryEvent:
    kept = decision.event not in {EventKind.NONE, EventKind.DELETE}
    return MemoryEvent(
        event=decision.event,
        id=decision.memory_id,
        new_memory=decision.text if kept else None,
        old_memory=decision.old_text,
        type=decision.type,
        metadata=batch.metadata,
        reasons=decision.reasons,
        taken_from=decision.taken_from,
    )
