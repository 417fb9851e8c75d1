"""Memories and their history by id, for an owner. The only place that checks whose an id is.

An id is no secret: whoever acts for one user may know ids of another's memories. For an owner that
does not admit a memory's scope, the memory does not exist.
"""

from __future__ import annotations

from collections.abc import Sequence

from .errors import InvalidInputError, NotFoundError
from .inputs import is_storable
from .owner import owning_tenant, takes
from .ports import HistoryLog, VectorStore
from .types import HistoryRecord, MemoryItem, Scope, Whose


class Owned:
    """Finds by id what belongs to an owner: a scope, or a whole tenant.

    All methods raise InvalidInputError for an id that is no text, StoreError and StateError.
    """

    def __init__(self, store: VectorStore, history: HistoryLog) -> None:
        self._store = store
        self._history = history

    async def find(self, whose: Whose, memory_id: str) -> MemoryItem | None:
        """The memory with this id, of any status; None if the owner has none."""
        check_id(memory_id)
        if not is_storable(memory_id):
            return None
        found = await self._store.get(owning_tenant(whose), [memory_id])
        return next((item for item in found if takes(whose, item.scope)), None)

    async def existing(self, whose: Whose, memory_id: str) -> MemoryItem:
        """The same. Raises NotFoundError instead of returning None."""
        item = await self.find(whose, memory_id)
        if item is None:
            raise NotFoundError(f"there is no memory {memory_id!r}")
        return item

    async def history(self, whose: Whose, memory_id: str) -> list[HistoryRecord]:
        """The records of a memory, oldest first; also after it was deleted."""
        check_id(memory_id)
        if not is_storable(memory_id):
            return []
        records = await self._history.of(owning_tenant(whose), memory_id)
        return [record for record in records if takes(whose, record.scope)]

    async def among(self, whose: Whose, ids: Sequence[str]) -> list[str]:
        """The ids among `ids` that are the owner's, also of memories that were deleted.

        A memory's row tells its scope, or else its history. A forget erases both last, so as long
        as anything is left of a memory, one of them tells. To a tenant all ids are its own, whether
        anything tells or not: other tenants have other ids.
        """
        if not isinstance(whose, Scope):
            return list(ids)
        rows = {item.id: item.scope for item in await self._store.get(whose.tenant, ids)}
        return [
            memory_id
            for memory_id in ids
            if (
                takes(whose, rows[memory_id])
                if memory_id in rows
                else await self.history(whose, memory_id)
            )
        ]


def check_id(memory_id: object) -> None:
    """An id is a text that is not empty. Raises InvalidInputError."""
    if not isinstance(memory_id, str) or not memory_id:
        raise InvalidInputError("memory_id", "expected the id of a memory")
