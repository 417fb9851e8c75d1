"""One who keeps its own books about whose each memory is, and watches every write."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from recollect.memory.memories import SqlMemories
from recollect.memory.model.types import MemoryItem, MemoryStatus, Scope
from recollect.memory.model.visible_scope import VisibleScope
from recollect.memory.records.writing import WrittenChange

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


class Witness:
    """Follows every change of memories; `reach` is set by whoever acts."""

    def __init__(self, store: SqlMemories, people: People) -> None:
        self._store = store
        self._people = people
        self.scopes: dict[str, Scope] = {}
        """Whose each memory is or was."""
        self.rows: dict[str, MemoryItem] = {}
        """What there should be now."""
        self.reach: Reach = nothing

    async def committed(self, change: WrittenChange) -> None:
        """Check what a transaction did. Raises CrossedError."""
        written = {memory.item.id: memory.item for memory in change.put}
        for item in (memory.item for memory in change.put):
            self._check(item)
            self.scopes[item.id] = item.scope
        self._remove([i for i in self.rows.values() if i.scope.tenant in change.emptied])
        self._remove([self.rows[i.id] for i in change.removed if i.id in self.rows])
        gone = {item.id for item in change.removed if written.get(item.id) == item}
        self.rows |= {i: item for i, item in written.items() if i not in gone}

    async def uncertain(self, tenants: Collection[str]) -> None:
        """Nothing is known."""

    async def audit(self) -> None:
        """The store shows each scope exactly what was put there and not removed. Raises CrossedError."""
        every = frozenset(MemoryStatus)
        for scope in self._people.scopes:
            listed = await self._store.list(scope, limit=None, statuses=every)
            there = {item.id: item.text for item in listed}
            expected = {i.id: i.text for i in self.rows.values() if scope.admits(i.scope)}
            if there != expected:
                raise CrossedError(f"{scope} has {there}, and should have {expected}")

    def _check(self, item: MemoryItem) -> None:
        """A memory never changes hands, and holds no word but those its scope may see."""
        before = self.scopes.get(item.id, item.scope)
        if before != item.scope:
            raise CrossedError(f"memory {item.id} of {before} became {item.scope}'s")
        if foreign := self._people.foreign(repr(item).lower(), VisibleScope.of(item.scope).admits):
            raise CrossedError(f"a memory of {item.scope} says {foreign}: {item}")

    def _remove(self, items: Sequence[MemoryItem]) -> None:
        for item in items:
            if not self.reach(item):
                raise CrossedError(f"{item.id} of {item.scope} was removed by another: {item}")
            del self.rows[item.id]
