"""Changes to memories requested by id; no model decides them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from .errors import InvalidInputError, NotFoundError
from .forget import WriteGuard
from .forget.retention import restored
from .forget.targets import EARLIER
from .learn.driver import Guards
from .learn.records import Batch, history_record, version_of
from .parts import Parts
from .types import (
    Decision,
    EventKind,
    HistoryRecord,
    MemoryItem,
    MemoryStatus,
    StoredMemory,
    utc_now,
)


class Changes:
    """Rewords, validates, restores and deletes single memories.

    Calls are safe to repeat after a failure.
    """

    def __init__(
        self, parts: Parts, *, guard: Guards, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._store = parts.store
        self._embedder = parts.embedder
        self._history = parts.history
        self._tombstones = parts.state.tombstones
        self._guard = guard
        self._clock = clock

    async def reword(self, item: MemoryItem, text: str) -> MemoryItem:
        """Replace the text; the old text is kept as a version of its own.

        Raises:
            InvalidInputError: it is an earlier version, which is never rewritten.
            NotFoundError: it was forgotten meanwhile.
        """
        now = self._clock()
        batch = _batch(item, now)
        guard, item = await self._begin(item, batch)
        if item.status is MemoryStatus.SUPERSEDED:
            raise InvalidInputError("memory_id", "expected a memory that holds, not an earlier one")
        changed = replace(
            item,
            text=text,
            updated_at=now,
            valid_from=now,
            embedder_id=self._embedder.id,
            # The old quote is no evidence for the new text.
            provenance=replace(item.provenance, batch=batch.id, recorded_at=now, quote=None),
        )
        version = version_of(item, batch=batch.id, until=now)
        await self._history.append([self._record(EventKind.UPDATE, changed, item, batch)])
        before, after = await self._embedder.embed([version.text, text])
        await self._store.put([StoredMemory(version, before)])
        await self._store.put([StoredMemory(changed, after)])
        await _settle(guard, version, changed)
        return changed

    async def validate(self, item: MemoryItem) -> MemoryItem:
        """Make a quarantined memory active; it is recalled like any other.

        Raises:
            InvalidInputError: it is not quarantined.
            NotFoundError: it was forgotten meanwhile.
        """
        now = self._clock()
        guard, item = await self._begin(item, _batch(item, now))
        if item.status is not MemoryStatus.QUARANTINED:
            raise InvalidInputError(
                "memory_id", f"expected a quarantined memory, this one is {item.status.value}"
            )
        believed = replace(item, status=MemoryStatus.ACTIVE, updated_at=now)
        record = self._record(EventKind.VALIDATE, believed, item, _batch(item, now))
        await self._history.append([record])
        [vector] = await self._embedder.embed([item.text])
        await self._store.put([StoredMemory(believed, vector)])
        await _settle(guard, believed)
        return believed

    async def restore(self, item: MemoryItem) -> MemoryItem:
        """Take an archived memory out of the archive, with the status and times it had before.

        Raises:
            InvalidInputError: it is not archived, or it did not hold when it was archived.
            NotFoundError: it was forgotten meanwhile.
        """
        now = self._clock()
        guard, item = await self._begin(item, _batch(item, now))
        back = _restored(item, now)
        batch = Batch(id=f"{item.id}^{_archived_at(item).isoformat()}", scope=item.scope, at=now)
        await self._history.append([self._record(EventKind.RESTORE, back, item, batch)])
        [vector] = await self._embedder.embed([item.text])
        await self._store.put([StoredMemory(back, vector)])
        await _settle(guard, back)
        return back

    async def delete(self, items: Sequence[MemoryItem]) -> int:
        """Remove memories and their earlier versions for good; their history stays.

        Returns the number of memories, without earlier versions.
        """
        gone = await self._with_versions(items)
        if not gone:
            return 0
        tenant, ids = gone[0].scope.tenant, [item.id for item in gone]
        # Buried first, so that learning that runs at this moment does not write them again.
        await self._tombstones.bury(tenant, ids)
        now = self._clock()
        memories = [item for item in gone if item.provenance.superseded_by is None]
        await self._history.append(
            [self._record(EventKind.DELETE, item, item, _batch(item, now)) for item in memories]
        )
        await self._store.delete(tenant, ids)
        return len(memories)

    async def _with_versions(self, items: Sequence[MemoryItem]) -> list[MemoryItem]:
        ids = {item.id for item in items}
        found = {item.id: item for item in items}
        for scope in {item.scope for item in items}:
            for item in await self._store.list(scope, limit=None, statuses=EARLIER):
                if item.provenance.superseded_by in ids:
                    found[item.id] = item
        return list(found.values())

    async def _begin(self, item: MemoryItem, batch: Batch) -> tuple[WriteGuard, MemoryItem]:
        """A guard, and the memory as read after the guard began."""
        guard = await self._guard(item.scope, batch.id)
        found = await self._store.get(item.scope.tenant, [item.id])
        if not found or await guard.refused([item.id]):
            raise _gone(item.id)
        return guard, found[0]

    def _record(
        self, event: EventKind, item: MemoryItem, before: MemoryItem, batch: Batch
    ) -> HistoryRecord:
        decision = Decision(
            event=event,
            memory_id=item.id,
            text=item.text,
            type=item.type,
            old_text=before.text,
            stage="asked",
        )
        return history_record(decision, item.scope, batch=batch, now=self._clock())


async def _settle(guard: WriteGuard, *written: MemoryItem) -> None:
    if await guard.settle(written):
        raise _gone(written[-1].id)


def _restored(item: MemoryItem, now: datetime) -> MemoryItem:
    if item.status is not MemoryStatus.ARCHIVED:
        raise InvalidInputError(
            "memory_id", f"expected an archived memory, this one is {item.status.value}"
        )
    back = restored(item, now)
    if back is None:
        raise InvalidInputError(
            "memory_id", "expected a memory that held when it was archived, not an earlier version"
        )
    return back


def _archived_at(item: MemoryItem) -> datetime:
    return item.provenance.archived_at or item.updated_at


def _gone(memory_id: str) -> NotFoundError:
    return NotFoundError(f"there is no memory {memory_id!r}")


def _batch(item: MemoryItem, now: datetime) -> Batch:
    # Named by the version it replaces: repeating it after a failure of the store gives the same
    # record.
    return Batch(id=f"{item.id}@{item.updated_at.isoformat()}", scope=item.scope, at=now)
