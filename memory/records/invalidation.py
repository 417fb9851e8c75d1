"""The one place where it is announced that memories changed or are gone.

Code that deletes, rewords, forgets or resets announces it on the bus, and only there. Caches,
conversation threads, the feed of events and other processes subscribe.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ..model.errors import StateError
from ..model.types import MemoryItem, OwnerRef
from ..state.announcement import read_message, write_message
from ..util.mesh import Handler, Mesh

if TYPE_CHECKING:
    from ..model.replicas import Replicas

_FORGETTING, _EMPTIED = "forgetting", "emptied"
"""Topics among siblings."""
ANNOUNCED_SINGLY = 50
"""Up to this many memories are announced one by one; for more, all of their owner is dropped."""


class Cache(Protocol):
    """Keeps data about memories or conversations in this process."""

    def forget(self, owner_ref: OwnerRef, memory_id: str | None = None, /) -> None:
        """Drop what is cached of one memory, or of everything of a scope or tenant."""

    def clear(self) -> None:
        """Drop everything."""


class PeerBus(Protocol):
    """Other processes that cache data about the same memories."""

    async def publish(self, owner_ref: OwnerRef, memory_id: str | None = None) -> None:
        """Announce it to them. Raises StateError if they cannot be reached."""

    async def listen(
        self, on_forgotten: Callable[[OwnerRef, str | None], None], on_gap: Callable[[], None]
    ) -> None:
        """Pass on their announcements until cancelled; call `on_gap` if some may be missing."""


class InvalidationBus:
    """Passes announcements on to caches, and to other processes."""

    def __init__(
        self,
        peers: PeerBus | None = None,
        mesh: Mesh | None = None,
        replicas: Replicas | None = None,
    ) -> None:
        """Without `peers` this process is the only one.

        `mesh` leads to those of its machine, `replicas` to those of all machines.
        """
        self._peers = peers
        self._mesh = mesh
        self._replicas = replicas
        self._caches: list[Cache] = []
        self.forgetting: list[Callable[[OwnerRef], None]] = []
        """Told whose memories are erased everywhere, before and after. In contrast to caches they
        are not told of memories that were changed or only deleted."""
        self.erasing: list[Callable[[OwnerRef], Awaitable[None]]] = []
        """Told as those, but only where it is asked for: what they erase is that of all processes.
        """
        self.emptied: list[Callable[[OwnerRef], None]] = []
        """Told of whom everything is forgotten, once the recorded turns are erased."""
        self.erased: list[Callable[[Sequence[MemoryItem]], None]] = []
        """Told of the memories that a forget erased."""
        for others in (mesh, replicas):
            if others is not None:
                others.on(_FORGETTING, _hearing(self.forgetting))
                others.on(_EMPTIED, _hearing(self.emptied))

    def subscribe(self, *caches: Cache) -> None:
        """Notify these from now on."""
        self._caches += caches

    @property
    def listeners(self) -> int:
        """Number of caches; other processes count as one."""
        return len(self._caches) + (self._peers is not None)

    async def announce(self, owner_ref: OwnerRef, memory_id: str | None = None) -> None:
        """Announce that one memory of `owner_ref`, or all of them, changed or is gone.

        Raises:
            StateError: other processes cannot be reached; this one was notified.
        """
        self._drop(owner_ref, memory_id)
        if self._peers is not None:
            await self._peers.publish(owner_ref, memory_id)

    async def announce_each(self, owner_ref: OwnerRef, ids: Collection[str]) -> None:
        """Announce that these memories of a scope or tenant are gone. Raises as `announce`."""
        for memory_id in sorted(ids) if len(ids) <= ANNOUNCED_SINGLY else [None]:
            await self.announce(owner_ref, memory_id)

    @contextlib.asynccontextmanager
    async def announce_after(
        self, owner_ref: OwnerRef, memory_id: str | None = None
    ) -> AsyncIterator[None]:
        """Announce after the block, even if it failed: a store may have done half of it.

        Processes that cannot be reached now notice the gap when they listen again.
        """
        try:
            yield
        finally:
            with contextlib.suppress(StateError):
                await self.announce(owner_ref, memory_id)

    async def tell_forgetting(self, owner_ref: OwnerRef) -> None:
        """Tell those in `erasing`, and in `forgetting` here and in every sibling.

        Raises StateError if one fails. Those of other replicas have heard it too, unless they fail
        or do not answer in time.
        """
        for erase in self.erasing:
            await erase(owner_ref)
        await self._tell(_FORGETTING, self.forgetting, owner_ref)

    async def tell_emptied(self, owner_ref: OwnerRef) -> None:
        """Tell those in `emptied`, as `tell_forgetting` does. Raises StateError."""
        await self._tell(_EMPTIED, self.emptied, owner_ref)

    async def _tell(
        self, topic: str, ours: Sequence[Callable[[OwnerRef], None]], owner_ref: OwnerRef
    ) -> None:
        for told in ours:
            told(owner_ref)
        if self._mesh is not None:
            await self._mesh.tell(topic, said=write_message(owner_ref, None))
        if self._replicas is not None:
            await self._replicas.ask_all(topic, said=write_message(owner_ref, None))

    async def listen(self) -> None:
        """Receive announcements of other processes until cancelled; returns at once without any."""
        if self._peers is not None:
            await self._peers.listen(self._drop, self._clear)

    def _drop(self, owner_ref: OwnerRef, memory_id: str | None) -> None:
        for cache in self._caches:
            cache.forget(owner_ref, memory_id)

    def _clear(self) -> None:
        for cache in self._caches:
            cache.clear()


def _hearing(listeners: Sequence[Callable[[OwnerRef], None]]) -> Handler:
    async def heard(values: Mapping[str, Any]) -> None:
        if (said := read_message(values["said"])) is not None:
            for told in listeners:
                told(said[0])

    return heard
