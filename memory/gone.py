"""What is gone: said in one place, and heard by whoever keeps something of it.

Whoever deletes, rewords, forgets or resets tells here. Caches, threads of conversations and other
processes hear of it; nobody else tells anybody.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Collection
from typing import Protocol

from .errors import StateError
from .types import Whose

TOLD_SINGLY = 50
"""Memories of which is told one by one; of more, everything of their owner is dropped."""


class Keeps(Protocol):
    """Keeps something of memories or of what was said, in this process."""

    def forget(self, whose: Whose, memory_id: str | None = None, /) -> None:
        """Drop what it has of one memory, or of all of a scope or tenant."""

    def clear(self) -> None:
        """Drop everything."""


class Others(Protocol):
    """Other processes that keep something of the same memories."""

    async def publish(self, whose: Whose, memory_id: str | None = None) -> None:
        """Say it to them. Raises StateError if they cannot be reached."""

    async def listen(
        self, on_forgotten: Callable[[Whose, str | None], None], on_gap: Callable[[], None]
    ) -> None:
        """Pass on what they say, until cancelled; `on_gap` where something may be missing."""


class Gone:
    """The bus for "this is gone"."""

    def __init__(self, others: Others | None = None) -> None:
        """Without `others` this process is the only one."""
        self._others = others
        self._kept: list[Keeps] = []

    def subscribe(self, *kept: Keeps) -> None:
        """Tell these from now on."""
        self._kept += kept

    @property
    def listeners(self) -> int:
        """How many are told; other processes count as one."""
        return len(self._kept) + (self._others is not None)

    async def tell(self, whose: Whose, memory_id: str | None = None) -> None:
        """One memory of these is gone, or all of them.

        Raises:
            StateError: other processes cannot be told; this one has been.
        """
        self._heard(whose, memory_id)
        if self._others is not None:
            await self._others.publish(whose, memory_id)

    async def tell_of(self, whose: Whose, ids: Collection[str]) -> None:
        """These memories of a scope or tenant are gone. Raises as `tell`."""
        for memory_id in sorted(ids) if len(ids) <= TOLD_SINGLY else [None]:
            await self.tell(whose, memory_id)

    @contextlib.asynccontextmanager
    async def telling(self, whose: Whose, memory_id: str | None = None) -> AsyncIterator[None]:
        """Tell after the block, also if it failed: a store may have done half of it.

        Other processes that cannot be reached hear of the gap when they are.
        """
        try:
            yield
        finally:
            with contextlib.suppress(StateError):
                await self.tell(whose, memory_id)

    async def listen(self) -> None:
        """Hear what other processes tell, until cancelled; ends at once if there are none."""
        if self._others is not None:
            await self._others.listen(self._heard, self._missed)

    def _heard(self, whose: Whose, memory_id: str | None) -> None:
        for kept in self._kept:
            kept.forget(whose, memory_id)

    def _missed(self) -> None:
        for kept in self._kept:
            kept.clear()
