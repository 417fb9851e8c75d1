"""What every change of one memory by its id does: it is read, written and noted in one step."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from ..database.attachments import SqlAttachments
from ..database.changes import ChangeKind
from ..forget import WriteGuard
from ..learn.learner import Guards
from ..learn.records import Batch, about_stored, history_record
from ..memories import SqlMemories
from ..model.doubts import MAX_DOUBTS
from ..model.errors import InvalidInputError, NotFoundError, VersionError
from ..model.types import (
    Doubt,
    EventKind,
    HistoryRecord,
    MemoryItem,
    MemoryStatus,
    Scope,
    StoredMemory,
    Vector,
    utc_now,
)
from ..model.usage import Feedback
from ..records.parts import Parts
from ..records.writing import InsidePorts
from .results import is_version, memory_dict

_SHOWN = 60
"""Characters of an unexpected version that an error repeats."""
ASKED = "asked"
"""The stage of what a call by id changed."""

FEEDBACK = "feedback"
"""The stage of what somebody said of a memory that they were shown."""

Permit = Callable[[SqlAttachments], Awaitable[None]]
"""Raises if a memory may not be changed any more."""


@dataclass(frozen=True, slots=True)
class MemoryInHand:
    """A memory that is being changed, as it is now."""

    item: MemoryItem
    batch: Batch
    now: datetime
    others: Sequence[MemoryItem] = ()
    """What else the change asked for."""


@dataclass(frozen=True, slots=True)
class ChangedRows:
    """What a change writes."""

    item: MemoryItem
    """The memory afterwards."""
    records: Sequence[HistoryRecord] = ()
    also: Sequence[MemoryItem] = ()
    """Other rows: an earlier version, memories that end."""
    unchanged: bool = False
    """Whether nothing is written."""

    @property
    def rows(self) -> list[MemoryItem]:
        """All that is written."""
        return [] if self.unchanged else [*self.also, self.item]


Make = Callable[[MemoryInHand], ChangedRows]
"""Decides what a change writes; pure. Raises InvalidInputError if it cannot be changed so."""
Looked = Callable[[Scope], Awaitable[None]]
"""Returns when what stands on the changed memories of a scope was looked at."""
Others = Callable[[SqlMemories, MemoryItem], Awaitable[Sequence[MemoryItem]]]
"""Reads what a change looks at beside its memory."""


async def nobody_looks(_scope: Scope) -> None:
    """Nothing stands on them."""


async def no_others(_store: SqlMemories, _item: MemoryItem) -> Sequence[MemoryItem]:
    """Nothing."""
    return ()


class Changing:
    """The parts of a change.

    Calls are safe to repeat after a failure. Each change reads the memory again in the transaction
    that writes it, so changes at the same time follow each other. With an `expected` version, a
    change is only made to that version, or else a VersionError is raised.
    """

    def __init__(
        self,
        parts: Parts,
        *,
        guard: Guards,
        clock: Callable[[], datetime] = utc_now,
        looked: Looked = nobody_looks,
    ) -> None:
        self._store = parts.store
        self._writer = parts.writer
        self._embedder = parts.embedder
        self._guard = guard
        self._clock = clock
        self._looked = looked

    async def _change(
        self,
        item: MemoryItem,
        make: Make,
        *,
        expected: int | str | None = None,
        permit: Permit | None = None,
        others: Others = no_others,
    ) -> MemoryItem:
        """Write what `make` decides of the memory as it is now; returns the memory afterwards.

        What was concluded from the memory was looked at then, too.

        Raises:
            NotFoundError: it was removed or forgotten meanwhile.
            VersionError: it is not at the expected version.
            Whatever `make` and `permit` raise.
        """
        now, guard = self._clock(), await self._guard(item.scope)
        vectors: dict[str, Vector] = {}

        async def work(ports: InsidePorts) -> ChangedRows | list[str]:
            there = await _there(ports, guard, item, expected, permit)
            beside = await others(ports.memories, there)
            made = make(MemoryInHand(there, batch_of(there, now), now, beside))
            if missing := [row.sought for row in made.rows if row.sought not in vectors]:
                return missing
            await ports.history.append(made.records)
            await ports.memories.put([StoredMemory(row, vectors[row.sought]) for row in made.rows])
            if made.rows:
                ports.announce(item.scope.tenant, ChangeKind.GONE, ids=[item.id])
            return made

        missing = await self._likely(item, make, others, now)
        while True:
            if new := list(dict.fromkeys(missing)):
                vectors |= dict(zip(new, await self._embedder.embed(new), strict=True))
            done = await self._writer.change(work, tenants={item.scope.tenant})
            if isinstance(done, ChangedRows):
                await self._looked(item.scope)
                return done.item
            missing = done

    async def _likely(
        self, item: MemoryItem, make: Make, others: Others, now: datetime
    ) -> list[str]:
        """Texts to embed beforehand: as a rule the memory is as it was read."""
        with suppress(InvalidInputError, NotFoundError):
            beside = await others(self._store, item)
            likely = make(MemoryInHand(item, batch_of(item, now), now, beside))
            return [row.sought for row in likely.rows]
        return []

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
        decision = replace(about_stored(item, event, stage, reason), old_text=before.text)
        return history_record(decision, item.scope, batch=batch, now=self._clock())

    def _noted(self, item: MemoryItem, batch: Batch, reason: str) -> HistoryRecord:
        """The record of a feedback, which leaves the text as it is."""
        return self._record(EventKind.NONE, item, item, batch, stage=FEEDBACK, reason=reason)


def doubted(hand: MemoryInHand, doubt: Doubt) -> MemoryItem:
    """An active memory after somebody doubts it: quarantined, for the latest reason of a kind."""
    was = hand.item
    others = [each for each in was.provenance.reasons if each.kind != doubt.kind]
    return replace(
        was,
        status=MemoryStatus.QUARANTINED,
        version=was.version + 1,
        updated_at=hand.now,
        provenance=replace(
            was.provenance, validated_at=None, reasons=(*others[: MAX_DOUBTS - 1], doubt)
        ),
    )


def feedback_reason(told: Feedback, reason: str) -> str:
    """What the history says of a feedback."""
    return f"{told.value}: {reason}" if reason else told.value


def occasions_of(feedback_id: str, told: Feedback) -> list[str]:
    """What a feedback is counted by, each once."""
    return [f"{feedback_id}:{one}" if one else feedback_id for one in range(told.times)]


async def versions_of(store: SqlMemories, *items: MemoryItem) -> list[MemoryItem]:
    """The earlier versions of memories of a tenant. Raises StoreError."""
    ids = {item.id for item in items}
    found = await store.resting_on(items[0].scope.tenant, ids) if items else []
    return [each for each in found if each.provenance.superseded_by in ids]


async def _there(
    ports: InsidePorts,
    guard: WriteGuard,
    item: MemoryItem,
    expected: int | str | None,
    permit: Permit | None,
) -> MemoryItem:
    """The memory now. Raises NotFoundError, VersionError, and what `permit` raises."""
    found = await ports.memories.get(item.scope.tenant, [item.id])
    if not found or await guard.is_void(ports) or await guard.refused(ports, [item.id]):
        raise gone(item.id)
    check_version(found[0], expected)
    if permit is not None:
        await permit(ports.state.attachments)
    return found[0]


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
