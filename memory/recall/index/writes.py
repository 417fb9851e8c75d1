"""Writes of memories as indexes follow them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol, Self

from ...model.types import MemoryItem, MemoryStatus, StoredMemory
from .key import IndexKey
from .user_index import UserIndex


class CommittedChange(Protocol):
    """The change of memories by one transaction."""

    @property
    def put(self) -> Sequence[StoredMemory]: ...

    @property
    def removed(self) -> Sequence[MemoryItem]: ...

    @property
    def emptied(self) -> Collection[str]: ...


class Write(NamedTuple):
    """A memory that was put or deleted."""

    memory_id: str
    tenant: str
    memory: StoredMemory | None = None
    """The memory to index; None if it is deleted or not active."""
    holders: frozenset[IndexKey] = frozenset()
    """Every index that must hold it."""

    @classmethod
    def put(cls, memory: StoredMemory) -> Self:
        """A memory was put; a memory that is not active is removed from the indexes."""
        item = memory.item
        if item.status is not MemoryStatus.ACTIVE:
            return cls(item.id, item.scope.tenant)
        return cls(item.id, item.scope.tenant, memory, IndexKey.holding(item.scope))

    @classmethod
    def erased(cls, memory_id: str, tenant: str) -> Self:
        return cls(memory_id, tenant)

    def carry_out(self, key: IndexKey, index: UserIndex) -> bool:
        """Apply the write to an index; returns whether the index changed.

        A memory that moved, or is no longer active, is removed from its old index.
        """
        if self.memory is not None and key in self.holders:
            index.add(self.memory)
            return True
        # Ids are unique within a tenant only.
        if self.tenant != key.tenant or self.memory_id not in index:
            return False
        index.remove(self.memory_id)
        return True
