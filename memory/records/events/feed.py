"""Hands changes of memories to those who asked for them, in this process."""

from __future__ import annotations

import asyncio
import uuid
import weakref
from collections import deque
from collections.abc import Collection
from typing import Self

from ...database.changes import ChangeKind, ChangeLine
from ...model.types import OwnerRef, Scope
from ...state.shared_log import SharedLog
from ..change_texts import ChangeDict, ChangeTexts
from ..writing import WrittenChange

MOST_WAITING = 1000
"""Changes that wait for one subscriber; of more the oldest are dropped, and the gap is told."""
MOST_BYTES = 2**20
"""The same for their texts: a thousand changes may have a hundred megabytes of them."""
GAP = "GAP"
"""Changes were dropped, because they were not read in time: `missed` says how many."""


class Feed:
    """Passes every change on to the subscriptions that it concerns. Never waits. For one loop.

    A change is told after it was written, at least once. Alone, a process tells what it wrote; of
    several that share a log each tells what it reads there, all in one order. Whoever subscribes
    later, or was away, reads the history instead. Of a memory that was forgotten before its change
    is read, no text is told.
    """

    def __init__(self, texts: ChangeTexts, log: SharedLog | None = None) -> None:
        """`texts` is told what is removed; see `InvalidationBus`."""
        self.texts = texts
        # Weak, so that a subscription that nobody reads any more takes nothing.
        self._subscribed: weakref.WeakSet[Subscription] = weakref.WeakSet()
        self._shared = log is not None
        if log is not None:
            log.everywhere.append(self._hear)
            log.missed.append(self._gap)

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

    async def committed(self, change: WrittenChange) -> None:
        """Tell of what this process wrote, unless all are told by the log."""
        if change.erased:
            self.texts.clear()
        if self._subscribed:
            since = self.texts.moment if change.erased else change.moment
            for scope, event in change.events:
                for subscription in list(self._subscribed):
                    if subscription.admits(scope) and (subscription.own or not self._shared):
                        subscription.put(event, since)

    async def uncertain(self, _tenants: Collection[str]) -> None:
        """What may not be there is not told."""

    def _hear(self, line: ChangeLine) -> None:
        if line.kind is not ChangeKind.EVENTS or not isinstance(line.owner_ref, Scope):
            return
        for subscription in list(self._subscribed):
            if subscription.admits(line.owner_ref) and not subscription.own:
                for event in line.told:
                    subscription.put(event, self.texts.moment)

    def _gap(self) -> None:
        """Changes of other processes were missed, nobody knows how many."""
        for subscription in list(self._subscribed):
            if not subscription.own and not subscription.closed:
                event = ChangeDict(id=uuid.uuid4().hex, event=GAP)
                subscription.put(event, self.texts.moment)


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
