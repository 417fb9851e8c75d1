"""Hands changes of memories to those who asked for them, in this process."""

from __future__ import annotations

import asyncio
import uuid
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Self

from ...model.times import iso
from ...model.types import HistoryRecord, MemoryItem, OwnerRef, Scope, utc_now
from .texts import ChangeDict, ChangeTexts, with_texts

MOST_WAITING = 1000
"""Changes that wait for one subscriber; of more the oldest are dropped, and the gap is told."""
MOST_BYTES = 2**20
"""The same for their texts: a thousand changes may have a hundred megabytes of them."""
FORGET = "FORGET"
"""A memory was erased everywhere. No text is told."""
GAP = "GAP"
"""Changes were dropped, because they were not read in time: `missed` says how many. Without
it those of other replicas were not heard."""


class Feed:
    """Passes every change on to the subscriptions that it concerns. Never waits. For one loop.

    A change is told after it was written, at least once, by the process that wrote it and by its
    siblings. It is not kept: whoever subscribes later, or was away, reads the history instead. Of a
    memory that was forgotten before its change is read, no text is told.
    """

    def __init__(self, texts: ChangeTexts, *, clock: Callable[[], datetime] = utc_now) -> None:
        """`texts` is told what is removed; see `InvalidationBus`."""
        self.texts = texts
        self._clock = clock
        # Weak, so that a subscription that nobody reads any more takes nothing.
        self._subscribed: weakref.WeakSet[Subscription] = weakref.WeakSet()
        self.also: Callable[[ChangeDict], None] | None = None
        """Told of every change of this process, for followers elsewhere."""
        self.echoed = False
        """Whether `heard` is told of them too, in the one order of all processes."""

    @property
    def followed(self) -> bool:
        """Whether anybody may have subscribed."""
        return bool(self._subscribed) or self.also is not None

    def subscribe(
        self,
        owner_ref: OwnerRef | None = None,
        *,
        most: int = MOST_WAITING,
        most_bytes: int = MOST_BYTES,
        own: bool = False,
    ) -> Subscription:
        """Changes from now on: of a scope, of a tenant, or of all tenants.

        `own`: only those that this process makes.
        """
        subscription = Subscription(owner_ref, self.texts, most, most_bytes)
        subscription.own = own
        self._subscribed.add(subscription)
        return subscription

    def wrote(self, records: Sequence[HistoryRecord], since: int) -> None:
        """Tell of changes that these records describe, which the history had at that moment."""
        for record in records:
            self._tell(record.scope, _change(record), since)

    def erased(self, memories: Sequence[MemoryItem]) -> None:
        """Tell that memories were erased everywhere; earlier versions are not told of."""
        self.texts.clear()
        now = iso(self._clock())
        for item in memories if self.followed else ():
            if item.provenance.superseded_by is None:
                change = ChangeDict(
                    id=uuid.uuid4().hex, event=FORGET, memory_id=item.id, timestamp=now
                )
                self._tell(item.scope, _owned(change, item.scope), self.texts.moment)

    def heard(self, scope: Scope, change: ChangeDict) -> None:
        """Tell of a change that another process made, or of an own one that is echoed."""
        for subscription in list(self._subscribed):
            if subscription.admits(scope) and not subscription.own:
                subscription.put(change, self.texts.moment)

    def gap(self) -> None:
        """Tell that changes of other processes were missed, nobody knows how many."""
        for subscription in list(self._subscribed):
            if not subscription.own and not subscription.closed:
                change = ChangeDict(id=uuid.uuid4().hex, event=GAP)
                subscription.put(change, self.texts.moment)

    def _tell(self, scope: Scope, change: ChangeDict, since: int) -> None:
        if self.also is not None:
            self.also(change)
        for subscription in list(self._subscribed):
            if subscription.admits(scope) and (subscription.own or not self.echoed):
                subscription.put(change, since)


class Subscription:
    """The changes of one subscriber, oldest first: `async for change in subscription`."""

    def __init__(
        self,
        owner_ref: OwnerRef | None,
        texts: ChangeTexts,
        most: int = MOST_WAITING,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self.texts = texts
        """What is still to be told of changes that were taken and are told later."""
        self._whose = owner_ref
        self._most_bytes = most_bytes
        self._bytes = 0
        self._waiting: deque[tuple[ChangeDict, int]] = deque()
        self._most = most
        self._missed = 0
        self.own = False
        """Whether it is not told what siblings change."""
        self.closed = False
        """Whether no further changes are told."""
        self._new = asyncio.Event()

    def admits(self, scope: Scope) -> bool:
        """Whether the changes of this scope are told."""
        if self.closed:
            return False
        if isinstance(self._whose, Scope):
            return self._whose.admits(scope)
        return self._whose is None or self._whose == scope.tenant

    @property
    def waiting(self) -> int:
        """Changes that can be read without waiting."""
        return len(self._waiting)

    def put(self, change: ChangeDict, since: int) -> None:
        """Add a change, whose texts are those of that moment.

        The oldest ones are dropped if too many wait, or too much text.
        """
        self._waiting.append((change, since))
        self._bytes += _size(change)
        while len(self._waiting) > self._most or (
            self._bytes > self._most_bytes and len(self._waiting) > 1
        ):
            self._next()
            self._missed += 1
        self._new.set()

    def close(self) -> None:
        """End it: changes that wait are still given, and then the iteration ends."""
        self.closed = True
        self._new.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> ChangeDict:
        while not self._waiting:
            if self.closed:
                raise StopAsyncIteration
            self._new.clear()
            await self._new.wait()
        if self._missed:
            missed, self._missed = self._missed, 0
            return ChangeDict(id=uuid.uuid4().hex, event=GAP, missed=missed)
        change, since = self._next()
        if self.texts.are_current(since):
            return change
        return (await self.texts.current([change]))[0]

    def _next(self) -> tuple[ChangeDict, int]:
        change, since = self._waiting.popleft()
        self._bytes = self._bytes - _size(change) if self._waiting else 0
        return change, since


def _size(change: ChangeDict) -> int:
    """The characters of its texts, about."""
    return len(change.get("memory", "")) + len(change.get("old_memory", ""))


def _change(record: HistoryRecord) -> ChangeDict:
    change = ChangeDict(
        id=record.id,
        event=record.event.value,
        memory_id=record.memory_id,
        timestamp=iso(record.timestamp),
    )
    return _owned(with_texts(change, record), record.scope)


def _owned(change: ChangeDict, scope: Scope) -> ChangeDict:
    change["tenant"] = scope.tenant
    for name, value in scope.ids().items():
        change[name] = value  # type: ignore[literal-required]  # the names of `ChangeDict`
    return change
