"""Announces that memories changed or are gone: the one place that does.

Code that deletes, rewords, forgets or resets announces it here: as lines of its own transaction
(`InsidePorts.lines`), or else on the bus. Caches and conversation threads subscribe; other
processes read the same lines in the log of changes.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from typing import Protocol

from ..database.changes import ChangeKind, ChangeLine
from ..model.errors import StateError
from ..model.types import OwnerRef
from ..state.shared_log import SharedLog

ANNOUNCED_SINGLY = 50
"""Up to this many memories are announced one by one; for more, all of their owner is dropped."""


class Cache(Protocol):
    """Keeps data about memories or conversations in this process."""

    def forget(self, owner_ref: OwnerRef, memory_id: str | None = None, /) -> None:
        """Drop what is cached of one memory, or of everything of a scope or tenant."""

    def clear(self) -> None:
        """Drop everything."""


class InvalidationBus:
    """Passes announcements on to caches, of this process and of those that share the log."""

    def __init__(self, log: SharedLog | None = None) -> None:
        """Without `log` this process is the only one."""
        self._log = log
        self._caches: list[Cache] = []
        self.forgetting: list[Callable[[OwnerRef], None]] = []
        """Told of whom something was erased everywhere. In contrast to caches they are not told of
        memories that were changed or only deleted."""
        self.erasing: list[Callable[[OwnerRef], Awaitable[None]]] = []
        """Told before and after it, where it is asked for: what they erase is that of all
        processes."""
        self.emptied: list[Callable[[OwnerRef], None]] = []
        """Told of whom everything is forgotten, once the recorded turns are erased."""
        if log is not None:
            log.elsewhere.append(self._hear)
            log.missed.append(self._clear)

    def subscribe(self, *caches: Cache) -> None:
        """Notify these from now on."""
        self._caches += caches

    @property
    def listeners(self) -> int:
        """Number of caches; other processes count as one."""
        return len(self._caches) + (self._log is not None)

    async def announce(self, owner_ref: OwnerRef, memory_id: str | None = None) -> None:
        """Announce that one memory of `owner_ref`, or all of them, changed or is gone.

        Raises:
            StateError: other processes are not told; this one was notified.
        """
        ids = [] if memory_id is None else [memory_id]
        line = ChangeLine(ChangeKind.GONE, owner_ref, ids)
        self._hear(line)
        if self._log is not None:
            await self._log.tell([line])

    @contextlib.asynccontextmanager
    async def announce_after(
        self, owner_ref: OwnerRef, memory_id: str | None = None
    ) -> AsyncIterator[None]:
        """Announce after the block, even if it failed: half of it may be done."""
        try:
            yield
        finally:
            with contextlib.suppress(StateError):
                await self.announce(owner_ref, memory_id)

    async def erase(self, owner_ref: OwnerRef) -> None:
        """Tell those in `erasing`. Raises StateError if one fails."""
        for erase in self.erasing:
            await erase(owner_ref)

    def heard(self, lines: Sequence[ChangeLine]) -> None:
        """Act on what a transaction of this process announced."""
        for line in lines:
            self._hear(line)

    def _hear(self, line: ChangeLine) -> None:
        match line.kind:
            case ChangeKind.GONE | ChangeKind.DELETE:
                for memory_id in _singly(line.ids):
                    for cache in self._caches:
                        cache.forget(line.owner_ref, memory_id)
            case ChangeKind.FORGOTTEN:
                for told in self.forgetting:
                    told(line.owner_ref)
            case ChangeKind.EMPTIED:
                for told in self.emptied:
                    told(line.owner_ref)

    def _clear(self) -> None:
        for cache in self._caches:
            cache.clear()


def _singly(ids: Collection[str]) -> list[str | None]:
    return [*sorted(ids)] if 0 < len(ids) <= ANNOUNCED_SINGLY else [None]
