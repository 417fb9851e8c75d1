"""Removes memories and statements, for `AsyncMemory`."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.engine import Engine
from ..model.errors import ConflictError, InvalidInputError, NotFoundError
from ..model.row_kinds import MemoryKind, kind_of
from ..model.shares import ShareKind
from ..model.types import MemoryItem, MemoryStatus, OwnerRef, Scope
from ..query.arguments import MemorySelector
from ..query.naming import check_narrows
from ..recall import is_passage
from .changes import Changes
from .results import DeletedByQuery, is_version, memory_dict
from .view import TenantView

MOST_DELETED = 10_000
"""Memories that one call deletes."""
MOST_SAID = 2000
"""The newest turns that a removal looks through."""


class Remover:
    """Removes memories, whose history stays, and statements, with their turns."""

    def __init__(self, view: TenantView, changes: Changes) -> None:
        self._view = view
        self._engine = view.engine
        self._changes = changes

    async def remove(self, owner_ref: OwnerRef, memory_id: str, version: int | str | None) -> None:
        """See `AsyncMemory.delete`."""
        async with self._engine.bus.announce_after(self._view.owner.tenant, memory_id):
            if is_passage(memory_id):
                await erase_said(self._engine, owner_ref, memory_id, version)
                return
            item = await self._engine.lookup.existing(owner_ref, memory_id)
            await self._changes.delete([item], version)

    async def remove_all(self, scope: Scope) -> int:
        """Remove everything of a scope; how many memories and passages it was."""
        async with self._engine.bus.announce_after(scope):
            said = await erase_all_said(self._engine, scope)
            await self._engine.parts.state.attachments.erase(scope, ShareKind.MEMORY)
            items = await self._engine.parts.store.list(
                scope, limit=None, statuses=frozenset(MemoryStatus)
            )
            return said + await self._changes.delete(items)

    async def remove_described(
        self, scope: Scope, asked: MemorySelector, *, filters: object, dry_run: bool, erase: bool
    ) -> DeletedByQuery:
        """See `AsyncMemory.delete_by_query`."""
        _check_deletable(asked, filters, scope)
        for name, value in (("dry_run", dry_run), ("erase", erase)):
            if not isinstance(value, bool):
                raise InvalidInputError(name, "expected true or false")
        async with self._engine.bus.announce_after(scope):
            items = await self._engine.queries.list(scope, asked, limit=MOST_DELETED + 1)
            if len(items) > MOST_DELETED:
                raise InvalidInputError(
                    "filters", f"must describe at most {MOST_DELETED} memories to delete"
                )
            items = await self._with_their_turns(items)
            result = DeletedByQuery(
                results=[memory_dict(item) for item in items], dry_run=dry_run, deleted=0
            )
            if dry_run or not items:
                return result
            result["deleted"] = len(items)
            said = [item.id for item in items if kind_of(item) is MemoryKind.SAID]
            if erase:
                receipt = await self._engine.forgetter.forget_ids(
                    scope, [item.id for item in items]
                )
                result["receipt"] = receipt.as_dict()
                return result
            if said:
                await self._engine.forgetter.forget_ids(scope, said)
            stored = [item for item in items if kind_of(item) is MemoryKind.MEMORY]
            result["deleted"] = len(said) + await self._changes.delete(stored)
            return result

    async def _with_their_turns(self, items: Sequence[MemoryItem]) -> list[MemoryItem]:
        """These, and what else was said in the same turns: a turn is erased as a whole."""
        said = [item for item in items if kind_of(item) is MemoryKind.SAID]
        turns = sorted({turn for item in said for turn in item.provenance.turn_ids})
        beside = await self._engine.said_rows.of_turns(self._view.owner.tenant, turns)
        there = {item.id for item in items}
        return [*items, *(one.item for one in beside if one.item.id not in there)]


async def erase_all_said(engine: Engine, scope: Scope) -> int:
    """Erase the turns of a scope that no memory was made of.

    Returns how many rows were said in them. Raises StateError.
    """
    conversations = engine.parts.state.conversations
    said = len(await engine.said_rows.of_scope(scope))
    while recent := await conversations.recent(scope, limit=MOST_SAID):
        ids = [one.turn.id for one in recent]
        if not await conversations.erase_turns(scope.tenant, ids):
            break
    return said


async def erase_said(
    engine: Engine, owner_ref: OwnerRef, passage_id: str, version: int | str | None = None
) -> None:
    """Erase the turn of a passage: nothing is recalled or learned of it any more.

    Raises:
        NotFoundError: there is no such passage, or it is somebody else's.
        ConflictError: it has another version.
        NotForgottenError, StoreError, StateError: a part failed; call it again.
    """
    if version is not None:
        item = await engine.lookup.find(owner_ref, passage_id)
        if item is not None and not is_version(memory_dict(item), version):
            raise ConflictError(f"{passage_id!r} has another version than {version!r}")
    receipt = await engine.forgetter.forget_ids(owner_ref, [passage_id])
    if receipt.found_nothing:
        raise NotFoundError(f"there is no memory {passage_id!r}")


def _check_deletable(asked: MemorySelector, filters: object, scope: Scope) -> None:
    if asked.in_the_past:
        raise InvalidInputError("as_of", "cannot be deleted by: what was true stays true")
    check_narrows(filters, scope)
    if not asked.narrows(scope):
        raise InvalidInputError(
            "filters", "expected something that tells the memories; delete_all removes all"
        )
