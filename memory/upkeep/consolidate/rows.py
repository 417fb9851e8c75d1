"""The memories of a scope as consolidation reads them, in the order in which they were written."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import numpy as np

from ...model.types import MemoryItem, Scope, StoredMemory, Vectors
from .duplicates import Compared


def written_at(item: MemoryItem) -> float:
    """When a row was last written, in seconds since 1970."""
    return max(item.updated_at, item.provenance.recorded_at or item.created_at).timestamp()


@dataclass(slots=True)
class ScopeRows:
    """The memories of exactly one scope."""

    memories: list[StoredMemory]
    tellings: list[Compared] = field(default_factory=list)
    """The same as they are compared."""
    held: frozenset[str] = frozenset()
    """Ids of what nothing may end or archive: other memories stand on them, other scopes see them.
    """

    @classmethod
    def of(cls, scope: Scope, loaded: Iterable[StoredMemory]) -> ScopeRows:
        """The memories of exactly this scope, among those that it admits."""
        own = (memory for memory in loaded if memory.item.scope == scope)
        return cls(sorted(own, key=lambda one: (written_at(one.item), one.item.id)))

    @property
    def cited(self) -> frozenset[str]:
        """Ids that memories stand on."""
        return frozenset(name for one in self.memories for name in one.item.provenance.cites)

    def vectors(self, end: int) -> Vectors:
        """``float32[end, dim]``: those of the first rows."""
        return np.asarray([memory.vector for memory in self.memories[:end]], np.float32)

    def first_after(self, moment: float) -> int:
        """Where the rows begin that were written after a moment (seconds since 1970)."""
        later = (n for n, one in enumerate(self.memories) if written_at(one.item) > moment)
        return next(later, len(self.memories))

    def end_of(self, first: int, most: int) -> int:
        """Where about `most` rows from the first on end; rows of one moment stay together."""
        end = min(first + most, len(self.memories))
        while first < end < len(self.memories) and self.moment(end) == self.moment(end + 1):
            end += 1
        return end

    def moment(self, end: int) -> float:
        """When the last row before `end` was written; 0 before the first."""
        return written_at(self.memories[end - 1].item) if end else 0.0

    def but(self, ids: Collection[str]) -> list[StoredMemory]:
        """The memories without these."""
        return [memory for memory in self.memories if memory.item.id not in ids]
