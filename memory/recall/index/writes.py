"""What a write to the store means for an index. Pure."""

from __future__ import annotations

from typing import NamedTuple, Self

from ...types import MemoryStatus, StoredMemory
from .key import IndexKey
from .user_index import UserIndex


class Write(NamedTuple):
    """A memory that was put, or one that is gone."""

    memory_id: str
    tenant: str
    at: float
    """When, by the clock of whoever keeps it."""
    memory: StoredMemory | None = None
    """What is to be found from now on; None if there is nothing."""
    holders: frozenset[IndexKey] = frozenset()
    """Every index that has to hold it."""

    @classmethod
    def put(cls, memory: StoredMemory, at: float) -> Self:
        """A memory was put; one that is not active is not to be found."""
        item = memory.item
        if item.status is not MemoryStatus.ACTIVE:
            return cls(item.id, item.scope.tenant, at)
        return cls(item.id, item.scope.tenant, at, memory, IndexKey.holding(item.scope))

    @classmethod
    def erased(cls, memory_id: str, tenant: str, at: float) -> Self:
        """A memory is gone."""
        return cls(memory_id, tenant, at)

    def carry_out(self, key: IndexKey, index: UserIndex) -> bool:
        """Make an index say what is true after it; whether that changed it.

        A memory that moved, or is not active any more, is taken out of the index of where it was.
        """
        if self.memory is not None and key in self.holders:
            index.add(self.memory)
            return True
        # An id is only a tenant's own.
        if self.tenant != key.tenant or self.memory_id not in index:
            return False
        index.remove(self.memory_id)
        return True
