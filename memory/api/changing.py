"""What every change of one memory by its id does: lock, read again, write, tell the history."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from ..forget import WriteGuard
from ..forget.targets import EARLIER
from ..learn.learner import Guards
from ..learn.records import Batch, history_record
from ..model.errors import NotFoundError, VersionError
from ..model.ports import Confirm
from ..model.types import (
    Decision,
    EventKind,
    HistoryRecord,
    MemoryItem,
    StoredMemory,
    utc_now,
)
from ..records.parts import Parts
from .results import is_version, memory_dict

_SHOWN = 60
"""Characters of an unexpected version that an error repeats."""
ASKED = "asked"
"""The stage of what a call by id changed."""

Permit = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ChangeInHand:
    """A memory that is being changed."""

    item: MemoryItem
    batch: Batch
    guard: WriteGuard
    confirm: Confirm


class Changing:
    """The parts of a change.

    Calls are safe to repeat after a failure. Each change reads the memory again while it holds the
    memory's lock, so changes at the same time follow each other. With an `expected` version, a
    change is only made to that version, or else a VersionError is raised. All methods raise
    ConflictError if others hold the lock for too long.
    """

    def __init__(
        self, parts: Parts, *, guard: Guards, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._store = parts.store
        self._embedder = parts.embedder
        self._history = parts.history
        self._locks = parts.state.locks
        self._guard = guard
        self._clock = clock

    @asynccontextmanager
    async def _changing(
        self,
        item: MemoryItem,
        now: datetime,
        expected: int | str | None = None,
        permit: Permit | None = None,
    ) -> AsyncIterator[ChangeInHand]:
        """The memory as it is now. Nobody else changes it until the end.

        `permit` raises if it may not be changed any more; it is asked while the lock is held.
        """
        async with self._locks.hold(item.scope.tenant, [item.id]) as confirm:
            guard = await self._guard(item.scope, "")
            found = await self._store.get(item.scope.tenant, [item.id])
            if not found or await guard.refused([item.id]):
                raise gone(item.id)
            check_version(found[0], expected)
            if permit is not None:
                await permit()
            batch = batch_of(found[0], now)
            yield ChangeInHand(found[0], batch, replace(guard, batch=batch.id), confirm)

    async def _put(self, change: ChangeInHand, *items: MemoryItem) -> None:
        """Write the rows one after the other; the memory itself is the last."""
        vectors = await self._embedder.embed([item.sought for item in items])
        await change.confirm()
        for item, vector in zip(items, vectors, strict=True):
            await self._store.put([StoredMemory(item, vector)])
        if await change.guard.settle(items):
            raise gone(items[-1].id)

    async def _versions(self, items: Sequence[MemoryItem]) -> list[MemoryItem]:
        """The earlier versions of these memories."""
        ids = {item.id for item in items}
        found = {
            item.id: item
            for scope in {item.scope for item in items}
            for item in await self._store.list(scope, limit=None, statuses=EARLIER)
            if item.provenance.superseded_by in ids
        }
        return list(found.values())

    def _record(
        self,
        event: EventKind,
        item: MemoryItem,
        before: MemoryItem,
        batch: Batch,
        *,
        stage: str = ASKED,
        reason: str = "",
    ) -> HistoryRecord:
        decision = Decision(
            event=event,
            memory_id=item.id,
            text=item.text,
            type=item.type,
            old_text=before.text,
            stage=stage,
            reason=reason,
        )
        return history_record(decision, item.scope, batch=batch, now=self._clock())


def check_version(item: MemoryItem, expected: int | str | None) -> None:
    """Raises VersionError unless the memory is at this version (a number or an ETag), if any."""
    if expected is not None and not is_version(memory_dict(item), expected):
        raise VersionError(
            f"memory {item.id!r} is at version {item.version}, not at {str(expected)[:_SHOWN]}"
        )


def gone(memory_id: str) -> NotFoundError:
    """The error of a memory that is not there."""
    return NotFoundError(f"there is no memory {memory_id!r}")


def batch_of(item: MemoryItem, now: datetime) -> Batch:
    """The batch of one change.

    It is named by the version it replaces: repeating it after a failure of the store gives the same
    record. The time tells versions of releases that did not count them apart.
    """
    name = f"{item.id}@{item.version}@{item.updated_at.isoformat()}"
    return Batch(id=name, scope=item.scope, at=now)
