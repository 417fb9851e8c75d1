"""A store that keeps its own books about whose each memory is, and watches every write."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from recollect.memory.memories.forwarding import ForwardingStore
from recollect.memory.model.ports import VectorStore
from recollect.memory.model.sight import Sight
from recollect.memory.model.types import MemoryItem, MemoryStatus, Scope, StoredMemory

from .people import People

Reach = Callable[[MemoryItem], bool]
"""The memories that what happens now may remove."""


class CrossedError(AssertionError):
    """A write went across scopes, or a memory is not where it belongs."""


def ensure(holds: bool, what: str) -> None:
    """Raises CrossedError if something does not hold."""
    if not holds:
        raise CrossedError(what)


def nothing(_item: MemoryItem) -> bool:
    """What reads, and what learns, removes nothing."""
    return False


class Witness(ForwardingStore):
    """Passes everything on; `reach` is set by whoever acts."""

    def __init__(self, store: VectorStore, people: People) -> None:
        self._inner = store
        self._people = people
        self.scopes: dict[str, Scope] = {}
        """Whose each memory is or was."""
        self.rows: dict[str, MemoryItem] = {}
        """What there should be now."""
        self.reach: Reach = nothing

    @property
    def _store(self) -> VectorStore:
        return self._inner

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        for item in (memory.item for memory in memories):
            self._check(item)
            self.scopes[item.id] = item.scope
            self.rows[item.id] = item
        await super().put(memories)

    async def delete(self, tenant: str, ids: Sequence[str]) -> None:
        await super().delete(tenant, ids)
        self._remove([self.rows[i] for i in ids if i in self.rows], tenant)

    async def reset(self, tenant: str) -> None:
        await super().reset(tenant)
        self._remove(list(self.rows.values()), tenant)

    async def audit(self) -> None:
        """The store shows each scope exactly what was put there and not removed. Raises CrossedError."""
        every = frozenset(MemoryStatus)
        for scope in self._people.scopes:
            listed = await self._inner.list(scope, limit=None, statuses=every)
            there = {item.id: item.text for item in listed}
            expected = {i.id: i.text for i in self.rows.values() if scope.admits(i.scope)}
            if there != expected:
                raise CrossedError(f"{scope} has {there}, and should have {expected}")

    def _check(self, item: MemoryItem) -> None:
        """A memory never changes hands, and holds no word but those its scope may see."""
        before = self.scopes.get(item.id, item.scope)
        if before != item.scope:
            raise CrossedError(f"memory {item.id} of {before} became {item.scope}'s")
        if foreign := self._people.foreign(repr(item).lower(), Sight.of(item.scope).admits):
            raise CrossedError(f"a memory of {item.scope} says {foreign}: {item}")

    def _remove(self, items: Sequence[MemoryItem], tenant: str) -> None:
        for item in items:
            if item.scope.tenant != tenant:
                continue
            if not self.reach(item):
                raise CrossedError(f"{item.id} of {item.scope} was removed by another: {item}")
            del self.rows[item.id]
