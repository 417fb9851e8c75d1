"""Every change of memories: one transaction, and then whoever follows is told.

Memories, their history, what stands on them, turns, counters and tombstones are in one database. So
a change is there as a whole or not at all, and nobody is told of one that is not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar, cast

from ..database.changes import ChangeKind, ChangeLine, SqlChanges
from ..database.graph import SqlGraph
from ..database.history import SqlHistory
from ..database.scripts import Script, ScriptRunner
from ..database.transactions import transacted
from ..memories import SqlMemories
from ..model.deeds import Link
from ..model.errors import StateError, StoreError
from ..model.types import (
    EventKind,
    HistoryRecord,
    MemoryItem,
    OwnerRef,
    Scope,
    StoredMemory,
    utc_now,
)
from ..state import State
from ..state.shared_log import SharedLog
from .change_texts import ChangeDict, told_of, without_texts
from .deeds import deeds_of

T = TypeVar("T")

Derive = Callable[[StoredMemory], StoredMemory]
"""Adds what is derived of a memory when it is written."""


@dataclass(slots=True)
class WrittenChange:
    """What one transaction did to memories."""

    put: list[StoredMemory] = field(default_factory=list)
    removed: list[MemoryItem] = field(default_factory=list)
    """As they were."""
    emptied: set[str] = field(default_factory=set)
    """Tenants of whom everything was removed."""
    records: list[HistoryRecord] = field(default_factory=list)
    moment: int = 0
    """What `MemoryWriter.moment` was before it; see `ChangeTexts`."""
    erased: list[MemoryItem] = field(default_factory=list)
    """Memories that were erased everywhere, as they were."""
    lines: list[ChangeLine] = field(default_factory=list)
    """What it announces: whoever adds some tells all processes."""
    carried: dict[str, EventKind] = field(default_factory=dict)
    """Memories that came with a history of their own, and what that was here."""
    links: list[Link] = field(default_factory=list)
    """What it did, as it stands in the chains of the owners."""
    _events: list[tuple[Scope, ChangeDict]] | None = None

    def __bool__(self) -> bool:
        """Whether anything was done."""
        return bool(self.put or self.removed or self.emptied or self.records or self.lines)

    @property
    def events(self) -> Sequence[tuple[Scope, ChangeDict]]:
        """What followers of changes are told of it."""
        if self._events is None:
            self._events = told_of(self.records, self.erased)
        return self._events

    def clear(self) -> None:
        """Begin again: the transaction runs once more."""
        self.put.clear()
        self.removed.clear()
        self.emptied.clear()
        self.records.clear()
        self.erased.clear()
        self.lines.clear()
        self.links.clear()
        self.carried.clear()
        self._events = None


class Follower(Protocol):
    """Is told of changes."""

    async def committed(self, change: WrittenChange) -> None:
        """It is in the database. Raises StateError if not all of it could be followed."""

    async def uncertain(self, tenants: Collection[str]) -> None:
        """A change of these failed, or its caller left: it may be there."""


class _Reads:
    """Memories that are read as another store reads them."""

    def __init__(self, inner: SqlMemories) -> None:
        self._inner = inner
        self.get, self.resting_on, self.list = inner.get, inner.resting_on, inner.list
        self.search, self.search_each = inner.search, inner.search_each
        self.keywords, self.search_keywords = inner.keywords, inner.search_keywords
        self.load, self.count, self.unlinked = inner.load, inner.count, inner.unlinked
        self.with_origin = inner.with_origin
        self.scan, self.walk, self.tally = inner.scan, inner.walk, inner.tally


class RecordingMemories(_Reads):
    """The memories within a transaction: it is noted what is done to them."""

    def __init__(self, inner: SqlMemories, change: WrittenChange, derive: Derive | None) -> None:
        self._change = change
        self._derive = derive
        super().__init__(inner)

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        """Insert or replace, as of the transaction."""
        if self._derive is not None:
            memories = list(map(self._derive, memories))
        if not memories:
            return
        await self._inner.put(memories)
        self._change.put += memories

    async def delete(self, tenant: str, ids: Sequence[str]) -> list[MemoryItem]:
        """Remove these; returns those that were there."""
        gone = await self._inner.delete(tenant, ids)
        self._change.removed += gone
        return gone

    async def reset(self, tenant: str) -> None:
        """Remove all of a tenant."""
        await self._inner.reset(tenant)
        self._change.emptied.add(tenant)


class RecordingHistory:
    """The history within a transaction: what is added to it is noted."""

    def __init__(self, inner: SqlHistory, change: WrittenChange) -> None:
        self._change, self._append, self.put_back = change, inner.append, inner.put_back
        self.of, self.of_many = inner.of, inner.of_many
        self.erase, self.erase_scope, self.reset = inner.erase, inner.erase_scope, inner.reset

    async def append(self, records: Sequence[HistoryRecord]) -> None:
        """Add durably, as of the transaction."""
        if records:
            await self._append(records)
            self._change.records += records

    async def carry(
        self,
        records: Sequence[HistoryRecord],
        *,
        new: Collection[str],
        changed: Collection[str],
    ) -> None:
        """As of the transaction; each memory is one event of here, whatever its history has."""
        await self.append(records)
        self._change.carried |= dict.fromkeys(new, EventKind.ADD)
        self._change.carried |= dict.fromkeys(changed, EventKind.UPDATE)


@dataclass(frozen=True, slots=True)
class InsidePorts:
    """What may be awaited within a transaction of memories; and nothing else."""

    state: State
    memories: SqlMemories
    history: SqlHistory
    graph: SqlGraph | None
    log: SqlChanges | None = None
    """The log of changes; None if no other process reads what it says beside rows."""
    lines: list[ChangeLine] = field(default_factory=list)
    """What the transaction announces, to this process and all others."""
    erased: list[MemoryItem] = field(default_factory=list)
    """What it erases everywhere, as it was."""

    def announce(self, owner_ref: OwnerRef, *kinds: ChangeKind, ids: Sequence[str] = ()) -> None:
        """Tell all processes, as part of the transaction, what happens to an owner's memories."""
        self.lines.extend(ChangeLine(kind, owner_ref, ids) for kind in kinds)


Work = Callable[[InsidePorts], Coroutine[Any, Any, T]]


Announced = Callable[[Sequence[ChangeLine]], None]


def _nobody(_lines: Sequence[ChangeLine]) -> None:
    """Nobody is told."""


class MemoryWriter:
    """Carries out changes of memories."""

    def __init__(self, scripts: ScriptRunner, inside: InsidePorts) -> None:
        """`inside` are ports over `INSIDE`, of the same database as `scripts`."""
        self._scripts = scripts
        self._inside = inside
        self.derive: Derive | None = None
        self.followers: list[Follower] = []
        """Told in this order."""
        self.announced: Announced = _nobody
        """Told what a change announces, after the followers."""
        self.linked: list[Callable[[Sequence[Link]], None]] = []
        """Told what a change added to the chains of what was done, once it is there."""
        self.shared: SharedLog | None = None
        """What other processes read; None if there are none."""
        self.moment: Callable[[], int] = int

    async def change(self, work: Work[T], *, tenants: Collection[str], erases: bool = False) -> T:
        """Run `work` in one transaction, then tell the followers what it did.

        It may run twice, and awaits only what it is given. With `erases` nothing that it removed
        remains in a file. What it announces has been heard by all processes that answer.

        Raises:
            StateError, StoreError: the database refused or failed; nothing was changed.
            Whatever `work` raises: nothing was changed.
        """
        change = WrittenChange(moment=self.moment())
        try:
            done = await self._carry_out(work, change, tenants, erases=erases)
        finally:
            # Also of a change that failed, or whose caller left: it may be there.
            self.announced(change.lines)
            if self.shared is not None and change:
                self.shared.wrote()
        if self.shared is not None and change.lines:
            await self.shared.wait()
        return done

    async def _carry_out(
        self, work: Work[T], change: WrittenChange, tenants: Collection[str], *, erases: bool
    ) -> T:
        def attempt() -> Script[T]:
            change.clear()
            return transacted(self._logged(work(self._noting(change)), change))

        try:
            done = await self._scripts.change(attempt, tenants=tenants, erases=erases)
        except BaseException as error:
            # An answer may have been lost; and of a caller that left nobody knows.
            if isinstance(error, (StateError, StoreError)) or not isinstance(error, Exception):
                for follower in self.followers:
                    await follower.uncertain(tenants)
            raise
        if change.links:
            for told in self.linked:
                told(change.links)
        if change:
            await self._tell(change, tenants)
        return done

    async def _tell(self, change: WrittenChange, tenants: Collection[str]) -> None:
        """Tell all followers, whatever fails for one of them."""
        failed: BaseException | None = None
        for follower in self.followers:
            try:
                if failed is None or isinstance(failed, StateError):
                    await follower.committed(change)
                else:
                    await follower.uncertain(tenants)
            except (StateError, asyncio.CancelledError) as error:
                failed = failed or error
        if failed is not None:
            raise failed

    async def _logged(self, work: Coroutine[Any, Any, T], change: WrittenChange) -> T:
        done = await work
        if deeds := deeds_of(change, utc_now()):
            change.links += await self._inside.state.deeds.add(deeds)
        if (log := self._inside.log) is not None:
            await log.add([*change.lines, *_event_lines(change)])
        return done

    def followed(self) -> MemoryWriter:
        """The same without followers, for who adds some."""
        return MemoryWriter(self._scripts, self._inside)

    def _noting(self, change: WrittenChange) -> InsidePorts:
        inside = self._inside
        memories = RecordingMemories(inside.memories, change, self.derive)
        return replace(
            inside,
            memories=cast("SqlMemories", memories),
            history=cast("SqlHistory", RecordingHistory(inside.history, change)),
            lines=change.lines,
            erased=change.erased,
        )


def _event_lines(change: WrittenChange) -> list[ChangeLine]:
    """What followers elsewhere are told, in lines by scope. They read the texts in the history."""
    of: dict[Scope, list[ChangeDict]] = {}
    for scope, event in change.events:
        of.setdefault(scope, []).append(without_texts(event))
    return [ChangeLine(ChangeKind.EVENTS, scope, events) for scope, events in of.items()]


class FollowedMemories(_Reads):
    """The memories as all read them; what is written by itself is a change of its own."""

    def __init__(self, inner: SqlMemories, writer: MemoryWriter) -> None:
        super().__init__(inner)
        self.writer = writer

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        """Insert or replace, and tell all who follow."""
        tenants = {memory.item.scope.tenant for memory in memories}
        await self.writer.change(lambda ports: ports.memories.put(memories), tenants=tenants)

    async def delete(self, tenant: str, ids: Sequence[str]) -> list[MemoryItem]:
        """Remove these, and tell all who follow; returns those that were there."""
        return await self.writer.change(
            lambda ports: ports.memories.delete(tenant, ids), tenants={tenant}, erases=True
        )

    async def reset(self, tenant: str) -> None:
        """Remove all of a tenant, and tell all who follow."""
        await self.writer.change(
            lambda ports: ports.memories.reset(tenant), tenants={tenant}, erases=True
        )
