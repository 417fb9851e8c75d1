"""Hands changes of memories to those who asked for them, in this process."""

from __future__ import annotations

import asyncio
import uuid
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Self

from ..results import ChangeDict, iso
from ..types import HistoryRecord, MemoryItem, Scope, Whose, utc_now

MOST_WAITING = 1000
"""Changes that wait for one subscriber; of more the oldest are dropped, and the gap is told."""
FORGET = "FORGET"
"""A memory was erased everywhere. No text is told."""
GAP = "GAP"
"""Changes were dropped, because they were not read in time: `missed` says how many."""


class Feed:
    """Passes every change on to the subscriptions that it concerns. Never waits. For one loop.

    A change is told after it was written, at least once, and only by the process that wrote it. It
    is not kept: whoever subscribes later, or was away, reads the history instead.
    """

    def __init__(self, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._clock = clock
        # Weak, so that a subscription that nobody reads any more takes nothing.
        self._subscribed: weakref.WeakSet[Subscription] = weakref.WeakSet()

    @property
    def followed(self) -> bool:
        """Whether anybody subscribed."""
        return bool(self._subscribed)

    def subscribe(self, whose: Whose | None = None, *, most: int = MOST_WAITING) -> Subscription:
        """Changes from now on: of a scope, of a tenant, or of all tenants."""
        subscription = Subscription(whose, most)
        self._subscribed.add(subscription)
        return subscription

    def wrote(self, records: Sequence[HistoryRecord]) -> None:
        """Tell of changes that these records of the history describe."""
        for record in records:
            self._tell(record.scope, _change(record))

    def erased(self, memories: Sequence[MemoryItem]) -> None:
        """Tell that memories were erased everywhere; earlier versions are not told of."""
        now = iso(self._clock())
        for item in memories if self.followed else ():
            if item.provenance.superseded_by is None:
                change = ChangeDict(
                    id=uuid.uuid4().hex, event=FORGET, memory_id=item.id, timestamp=now
                )
                self._tell(item.scope, _owned(change, item.scope))

    def _tell(self, scope: Scope, change: ChangeDict) -> None:
        for subscription in list(self._subscribed):
            if subscription.admits(scope):
                subscription.put(change)


class Subscription:
    """The changes of one subscriber, oldest first: `async for change in subscription`."""

    def __init__(self, whose: Whose | None, most: int = MOST_WAITING) -> None:
        self._whose = whose
        self._waiting: deque[ChangeDict] = deque()
        self._most = most
        self._missed = 0
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

    def put(self, change: ChangeDict) -> None:
        """Add a change; the oldest one is dropped if too many wait."""
        if len(self._waiting) >= self._most:
            self._waiting.popleft()
            self._missed += 1
        self._waiting.append(change)
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
        return self._waiting.popleft()


def _change(record: HistoryRecord) -> ChangeDict:
    change = ChangeDict(
        id=record.id,
        event=record.event.value,
        memory_id=record.memory_id,
        timestamp=iso(record.timestamp),
    )
    if record.new_value is not None:
        change["memory"] = record.new_value
    if record.old_value is not None:
        change["old_memory"] = record.old_value
    return _owned(change, record.scope)


def _owned(change: ChangeDict, scope: Scope) -> ChangeDict:
    change["tenant"] = scope.tenant
    for name, value in scope.ids().items():
        change[name] = value  # type: ignore[literal-required]  # the names of `ChangeDict`
    return change
