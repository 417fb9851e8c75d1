"""Announces deletions to every cache.

Code that deletes, rewords, forgets or resets reports it here, and only here. Caches, conversation
threads and other processes are notified.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Collection
from typing import Protocol

from ..model.errors import StateError
from ..model.types import OwnerRef

TOLD_SINGLY = 50
"""Up to this many memories are announced one by one; for more, all of their owner is dropped."""


class Keeps(Protocol):
    """Caches data about memories or conversations in this process."""

    def forget(self, whose: OwnerRef, memory_id: str | None = None, /) -> None:
        """Drop what is cached of one memory, or of everything of a scope or tenant."""

    def clear(self) -> None:
        """Drop everything."""


class Others(Protocol):
    """Other processes that cache data about the same memories."""

    async def publish(self, whose: OwnerRef, memory_id: str | None = None) -> None:
        """Announce it to them. Raises StateError if they cannot be reached."""

    async def listen(
        self, on_forgotten: Callable[[OwnerRef, str | None], None], on_gap: Callable[[], None]
    ) -> None:
        """Pass on their announcements until cancelled; call `on_gap` if some may be missing."""


class Gone:
    """Notifies subscribers about deletions."""

    def __init__(self, others: Others | None = None) -> None:
        """Without `others` this process is the only one."""
        self._others = others
        self._kept: list[Keeps] = []

    def subscribe(self, *kept: Keeps) -> None:
        """Notify these from now on."""
        self._kept += kept

    @property
    def listeners(self) -> int:
        """Number of subscribers; other processes count as one."""
        return len(self._kept) + (self._others is not None)

    async def tell(self, whose: OwnerRef, memory_id: str | None = None) -> None:
        """Announce that one memory of `whose`, or all of them, is gone.

        Raises:
            StateError: other processes cannot be reached; this one was notified.
        """
        self._heard(whose, memory_id)
        if self._others is not None:
            await self._others.publish(whose, memory_id)

    async def tell_of(self, whose: OwnerRef, ids: Collection[str]) -> None:
        """Announce that these memories of a scope or tenant are gone. Raises as `tell`."""
        for memory_id in sorted(ids) if len(ids) <= TOLD_SINGLY else [None]:
            await self.tell(whose, memory_id)

    @contextlib.asynccontextmanager
    async def telling(self, whose: OwnerRef, memory_id: str | None = None) -> AsyncIterator[None]:
        """Announce after the block, even if it failed: a store may have done half of it.

        Processes that cannot be reached now notice the gap when they listen again.
        """
        try:
            yield
        finally:
            with contextlib.suppress(StateError):
                await self.tell(whose, memory_id)

    async def listen(self) -> None:
        """Receive announcements of other processes until cancelled; returns at once without any."""
        if self._others is not None:
            await self._others.listen(self._heard, self._missed)

    def _heard(self, whose: OwnerRef, memory_id: str | None) -> None:
        for kept in self._kept:
            kept.forget(whose, memory_id)

    def _missed(self) -> None:
        for kept in self._kept:
            kept.clear()
