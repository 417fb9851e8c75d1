"""Changes to memories requested by id; no model decides them."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from ..forget import WriteGuard
from ..forget.retention import held_again, restored
from ..forget.targets import EARLIER
from ..learn.learner import Guards
from ..learn.records import Batch, history_record, version_of
from ..model.doubts import FAILED, MAX_DOUBTS, MAX_SENTENCE, unquoted
from ..model.errors import InvalidInputError, NotFoundError, VersionError
from ..model.inputs import check_metadata
from ..model.ports import Confirm
from ..model.shares import ShareKind
from ..model.types import (
    Decision,
    Doubt,
    EventKind,
    HistoryRecord,
    MemoryItem,
    MemoryStatus,
    Provenance,
    Scope,
    StoredMemory,
    utc_now,
)
from ..model.usage import UNUSED, Feedback, Usage
from ..records.parts import Parts
from .results import is_version, memory_dict

_SHOWN = 60
"""Characters of an unexpected version that an error repeats."""


Permit = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Amendment:
    """What changes of a memory; None: as it is."""

    text: str | None = None
    metadata: Mapping[str, Any] | None = None
    """Merged key by key; a key whose value is None is removed."""
    importance: float | None = None


@dataclass(frozen=True, slots=True)
class _Change:
    """A memory that is being changed."""

    item: MemoryItem
    batch: Batch
    guard: WriteGuard
    confirm: Confirm


_UNSURE = frozenset({MemoryStatus.ACTIVE, MemoryStatus.QUARANTINED})


class Changes:
    """Rewords, validates, restores, judges and deletes single memories.

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
        self._tombstones = parts.state.tombstones
        self._usage = parts.state.usage
        self._attachments = parts.state.attachments
        self._locks = parts.state.locks
        self._guard = guard
        self._clock = clock

    async def amend(
        self,
        item: MemoryItem,
        amendment: Amendment,
        expected: int | str | None = None,
        permit: Permit | None = None,
    ) -> MemoryItem:
        """Change what the amendment names; an old text is kept as a version of its own.

        `permit` raises if it may not be changed any more; it is asked while the lock is held.

        Raises:
            InvalidInputError: it is an earlier version, which is never rewritten.
            NotFoundError: it was forgotten meanwhile.
        """
        now = self._clock()
        async with self._changing(item, now, expected) as change:
            if permit is not None:
                await permit()
            item = change.item
            if item.status is MemoryStatus.SUPERSEDED:
                raise InvalidInputError(
                    "memory_id", "expected a memory that holds, not an earlier one"
                )
            batch = change.batch
            changed = replace(
                item,
                metadata=_merged(item.metadata, amendment.metadata or {}),
                importance=(
                    item.importance if amendment.importance is None else amendment.importance
                ),
                version=item.version + 1,
                updated_at=now,
            )
            if amendment.metadata:
                check_metadata(changed.metadata)
            versions = []
            if amendment.text is not None:
                changed = replace(
                    changed,
                    text=amendment.text,
                    valid_from=now,
                    embedder_id=self._embedder.id,
                    provenance=_reworded(item.provenance, batch.id, now),
                )
                versions.append(version_of(item, batch=batch.id, until=now))
            await self._history.append([self._record(EventKind.UPDATE, changed, item, batch)])
            await self._put(change, *versions, changed)
        return changed

    async def validate(self, item: MemoryItem) -> MemoryItem:
        """Make a quarantined memory active; it is recalled like any other.

        An active one may go with every message afterwards, if it is a wish that nobody but a
        person may let through (`recall.door`).

        Raises:
            InvalidInputError: it is neither, or was validated before.
            NotFoundError: it was forgotten meanwhile.
        """
        now = self._clock()
        async with self._changing(item, now) as change:
            item = change.item
            if item.status not in _UNSURE or item.provenance.validated_at is not None:
                raise InvalidInputError(
                    "memory_id",
                    "expected a memory that nobody validated, quarantined or active; this one is "
                    + ("validated" if item.status in _UNSURE else item.status.value),
                )
            believed = replace(
                item,
                status=MemoryStatus.ACTIVE,
                version=item.version + 1,
                updated_at=now,
                provenance=replace(item.provenance, validated_at=now),
            )
            record = self._record(EventKind.VALIDATE, believed, item, change.batch)
            await self._history.append([record])
            await self._put(change, believed)
        return believed

    async def withdraw(self, item: MemoryItem, why: str) -> MemoryItem:
        """Quarantine an active memory that failed when it was used; else it is as it is.

        Raises NotFoundError if it was forgotten meanwhile.
        """
        now = self._clock()
        async with self._changing(item, now) as change:
            item = change.item
            if item.status is not MemoryStatus.ACTIVE:
                return item
            origin = item.provenance
            others = [each for each in origin.reasons if each.kind != FAILED]
            doubts = (*others[: MAX_DOUBTS - 1], Doubt(FAILED, sentence=why[:MAX_SENTENCE]))
            held = replace(
                item,
                status=MemoryStatus.QUARANTINED,
                version=item.version + 1,
                updated_at=now,
                provenance=replace(origin, validated_at=None, reasons=doubts),
            )
            record = self._record(EventKind.QUARANTINE, held, item, change.batch)
            await self._history.append([record])
            await self._put(change, held)
        return held

    async def restore(self, item: MemoryItem) -> MemoryItem:
        """Take a memory out of the archive, or undo that it was superseded.

        What was archived has the status and times it had before. What was superseded is active
        again beside what superseded it, an earlier version as a memory of its own.

        Raises:
            InvalidInputError: it is neither, or it did not hold when it was archived.
            NotFoundError: it was forgotten meanwhile.
        """
        now = self._clock()
        async with self._changing(item, now) as change:
            item = change.item
            back = _restored(item, now)
            name = f"{item.id}^{_away_since(item).isoformat()}"
            batch = Batch(id=name, scope=item.scope, at=now)
            await self._history.append([self._record(EventKind.RESTORE, back, item, batch)])
            await self._put(change, back)
        return back

    async def settle(self, item: MemoryItem, replaced: Sequence[MemoryItem]) -> MemoryItem:
        """Say that a memory is judged: it replaces these, and stays beside all others.

        Raises:
            InvalidInputError: one of `replaced` is of another scope, or does not hold.
            NotFoundError: one was forgotten meanwhile.
        """
        now = self._clock()
        ids = [item.id, *(each.id for each in replaced)]
        async with self._locks.hold(item.scope.tenant, ids) as confirm:
            guard = await self._guard(item.scope, "")
            there = {one.id: one for one in await self._store.get(item.scope.tenant, ids)}
            refused = await guard.refused(ids)
            for memory_id in ids:
                if memory_id not in there or memory_id in refused:
                    raise _gone(memory_id)
                _check_settled(there[memory_id], item.scope)
            item = there.pop(item.id)
            batch = _batch(item, now)
            change = _Change(item, batch, replace(guard, batch=batch.id), confirm)
            ended = [_ended(one, now) for one in there.values()]
            records = [self._record(EventKind.DELETE, one, one, _batch(one, now)) for one in ended]
            if records:
                await self._history.append(records)
            settled = replace(item, provenance=replace(item.provenance, pending=()))
            await self._put(change, *ended, settled)
        return settled

    async def feedback(self, item: MemoryItem, told: Feedback, reason: str) -> Usage:
        """Count one feedback, and keep its reason in the history; returns the counters.

        Raises NotFoundError if the memory was forgotten meanwhile.
        """
        now, call = self._clock(), uuid.uuid4().hex
        async with self._changing(item, now) as change:
            item = change.item
            decision = Decision(
                event=EventKind.NONE,
                memory_id=item.id,
                text=item.text,
                type=item.type,
                stage="feedback",
                reason=f"{told.value}: {reason}" if reason else told.value,
            )
            batch = Batch(id=call, scope=item.scope, at=now)
            record = history_record(decision, item.scope, batch=batch, now=now)
            await self._history.append([record])
            tenant = item.scope.tenant
            for one in range(told.times):
                occasion = f"{call}:{one}" if one else call
                await self._usage.count(tenant, told.use, [item.id], occasion=occasion, at=now)
            if await change.guard.settle([item]):
                raise _gone(item.id)
            return (await self._usage.of(tenant, [item.id])).get(item.id, UNUSED)

    async def delete(self, items: Sequence[MemoryItem], expected: int | str | None = None) -> int:
        """Remove memories and their earlier versions for good; their history stays.

        Returns the number of memories, without earlier versions. What was removed meanwhile is
        left out.

        Raises:
            NotFoundError: a version was expected, and the memory was removed meanwhile.
            VersionError: a memory is not at the expected version.
        """
        if not items:
            return 0
        tenant, ids = items[0].scope.tenant, [item.id for item in items]
        async with self._locks.hold(tenant, ids) as confirm:
            there = await self._store.get(tenant, ids)
            if expected is not None and not there:
                raise _gone(ids[0])
            for item in there:
                check_version(item, expected)
            return await self._delete(tenant, await self._with_versions(there), confirm)

    async def _delete(self, tenant: str, gone: Sequence[MemoryItem], confirm: Confirm) -> int:
        ids = [item.id for item in gone]
        await confirm()
        # Buried first, so that learning that runs at this moment does not write them again.
        await self._tombstones.add(tenant, ids)
        await self._usage.erase(tenant, ids)
        now = self._clock()
        memories = [item for item in gone if item.provenance.superseded_by is None]
        await self._history.append(
            [self._record(EventKind.DELETE, item, item, _batch(item, now)) for item in memories]
        )
        await self._store.delete(tenant, ids)
        if ids:
            await self._attachments.erase_items(tenant, ShareKind.MEMORY, ids)
        return len(memories)

    async def _with_versions(self, items: Sequence[MemoryItem]) -> list[MemoryItem]:
        ids = {item.id for item in items}
        found = {item.id: item for item in items}
        for scope in {item.scope for item in items}:
            for item in await self._store.list(scope, limit=None, statuses=EARLIER):
                if item.provenance.superseded_by in ids:
                    found[item.id] = item
        return list(found.values())

    @asynccontextmanager
    async def _changing(
        self, item: MemoryItem, now: datetime, expected: int | str | None = None
    ) -> AsyncIterator[_Change]:
        """The memory as it is now. Nobody else changes it until the end."""
        async with self._locks.hold(item.scope.tenant, [item.id]) as confirm:
            guard = await self._guard(item.scope, "")
            found = await self._store.get(item.scope.tenant, [item.id])
            if not found or await guard.refused([item.id]):
                raise _gone(item.id)
            check_version(found[0], expected)
            batch = _batch(found[0], now)
            yield _Change(found[0], batch, replace(guard, batch=batch.id), confirm)

    async def _put(self, change: _Change, *items: MemoryItem) -> None:
        """Write the rows one after the other; the memory itself is the last."""
        vectors = await self._embedder.embed([item.text for item in items])
        await change.confirm()
        for item, vector in zip(items, vectors, strict=True):
            await self._store.put([StoredMemory(item, vector)])
        if await change.guard.settle(items):
            raise _gone(items[-1].id)

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


def check_version(item: MemoryItem, expected: int | str | None) -> None:
    """Raises VersionError unless the memory is at this version (a number or an ETag), if any."""
    if expected is not None and not is_version(memory_dict(item), expected):
        raise VersionError(
            f"memory {item.id!r} is at version {item.version}, not at {str(expected)[:_SHOWN]}"
        )


def _merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**old, **new}.items() if value is not None}


def _reworded(provenance: Provenance, batch: str, now: datetime) -> Provenance:
    """Without the words of the old text: its quote is no evidence for the new one."""
    return replace(
        provenance,
        batch=batch,
        recorded_at=now,
        quote=None,
        given=None,
        # Who validated the old text did not see the new one.
        validated_at=None,
        reasons=unquoted(provenance.reasons),
    )


HAND = "asked: somebody settled it by hand"
"""What a memory says that a person superseded (`Provenance.ended`)."""


def _check_settled(item: MemoryItem, scope: Scope) -> None:
    if item.scope != scope:
        raise InvalidInputError("replaces", "expected memories of the same scope")
    if item.status is not MemoryStatus.ACTIVE:
        raise InvalidInputError(
            "replaces", f"expected active memories, {item.id!r} is {item.status.value}"
        )


def _ended(item: MemoryItem, now: datetime) -> MemoryItem:
    return replace(
        item,
        status=MemoryStatus.SUPERSEDED,
        valid_to=max(now, item.valid_from or now),
        updated_at=now,
        version=item.version + 1,
        provenance=replace(item.provenance, ended=HAND, pending=()),
    )


def _restored(item: MemoryItem, now: datetime) -> MemoryItem:
    if item.status is MemoryStatus.SUPERSEDED:
        return held_again(item, now)
    if item.status is not MemoryStatus.ARCHIVED:
        raise InvalidInputError(
            "memory_id",
            f"expected an archived or superseded memory, this one is {item.status.value}",
        )
    back = restored(item, now)
    if back is None:
        raise InvalidInputError(
            "memory_id", "expected a memory that held when it was archived, not an earlier version"
        )
    return back


def _away_since(item: MemoryItem) -> datetime:
    return item.provenance.archived_at or item.valid_to or item.updated_at


def _gone(memory_id: str) -> NotFoundError:
    return NotFoundError(f"there is no memory {memory_id!r}")


def _batch(item: MemoryItem, now: datetime) -> Batch:
    # Named by the version it replaces: repeating it after a failure of the store gives the same
    # record. The time tells versions of releases that did not count them apart.
    name = f"{item.id}@{item.version}@{item.updated_at.isoformat()}"
    return Batch(id=name, scope=item.scope, at=now)
