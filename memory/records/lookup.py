"""Memories and their history by id, for an owner. The only place that checks whose an id is.

An id is no secret: whoever acts for one user may know ids of another's memories. For an owner that
does not admit a memory's scope, the memory does not exist.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..database.history import SqlHistory
from ..memories import SqlMemories
from ..model.errors import InvalidInputError, NotFoundError
from ..model.inputs import is_storable
from ..model.owner import covers, owning_tenant
from ..model.row_kinds import MemoryKind, is_block_line, is_passage, kind_of
from ..model.types import EventKind, HistoryRecord, MemoryItem, OwnerRef
from ..recall.index.entry import SaidPassage
from ..recall.index.statement_reader import StatementReader

IN_A_BLOCK = "is of a working block: change that by its label, or forget the line"
UNCHANGEABLE = "is something that the user said: delete it or forget it, or add a memory instead"


class MemoryLookup:
    """Finds by id what belongs to an owner: a scope, or a whole tenant.

    All methods raise InvalidInputError for an id that is no text, StoreError and StateError.
    """

    def __init__(self, store: SqlMemories, history: SqlHistory, heard: StatementReader) -> None:
        """`heard` finds what was said."""
        self._store = store
        self._history = history
        self._heard = heard

    async def find(self, owner_ref: OwnerRef, memory_id: str) -> MemoryItem | None:
        """The memory with this id, of any status, or what was said; None if the owner has none."""
        check_id(memory_id)
        if not is_storable(memory_id):
            return None
        if is_passage(memory_id):
            return next((one.item for one in await self.said(owner_ref, [memory_id])), None)
        found = await self._store.get(owning_tenant(owner_ref), [memory_id])
        return next((item for item in found if covers(owner_ref, item.scope)), None)

    async def said(self, owner_ref: OwnerRef, ids: Sequence[str]) -> list[SaidPassage]:
        """Those with these ids, of what was said, that are the owner's."""
        found = await self._heard.named(owning_tenant(owner_ref), ids)
        return [one for one in found if covers(owner_ref, one.item.scope)]

    async def several(self, owner_ref: OwnerRef, ids: Sequence[str]) -> dict[str, MemoryItem]:
        """Those of the owner with these ids, and of what was said, by id."""
        said = [one.item for one in await self.said(owner_ref, [*filter(is_passage, ids)])]
        others = [one for one in ids if not is_passage(one)]
        stored = await self._store.get(owning_tenant(owner_ref), others) if others else []
        own = [*said, *(item for item in stored if covers(owner_ref, item.scope))]
        return {item.id: item for item in own}

    async def existing(self, owner_ref: OwnerRef, memory_id: str) -> MemoryItem:
        """A memory that is to be changed.

        Raises NotFoundError instead of returning None, and InvalidInputError for what was said,
        which nobody can change afterwards.
        """
        item = await self.find(owner_ref, memory_id)
        if item is None and is_block_line(memory_id):
            raise InvalidInputError("memory_id", IN_A_BLOCK)
        if item is None:
            raise NotFoundError(f"there is no memory {memory_id!r}")
        if kind_of(item) is MemoryKind.SAID:
            raise InvalidInputError("memory_id", UNCHANGEABLE)
        return item

    async def history(self, owner_ref: OwnerRef, memory_id: str) -> list[HistoryRecord]:
        """The records of a memory, oldest first; also after it was deleted.

        Of what was said it is one: when it was said.
        """
        check_id(memory_id)
        if not is_storable(memory_id):
            return []
        if is_passage(memory_id):
            return [_heard_at(one.item) for one in await self.said(owner_ref, [memory_id])]
        records = await self._history.of(owning_tenant(owner_ref), memory_id)
        return [record for record in records if covers(owner_ref, record.scope)]


def _heard_at(item: MemoryItem) -> HistoryRecord:
    return HistoryRecord(
        id=item.id,
        memory_id=item.id,
        event=EventKind.ADD,
        old_value=None,
        new_value=item.text,
        timestamp=item.created_at,
        is_deleted=False,
        scope=item.scope,
        stage=MemoryKind.SAID.value,
    )


def check_id(memory_id: object) -> None:
    """An id is a text that is not empty. Raises InvalidInputError."""
    if not isinstance(memory_id, str) or not memory_id:
        raise InvalidInputError("memory_id", "expected the id of a memory")
