"""What a removal checks, and what is erased of what was said."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.engine import Engine
from ..model.errors import ConflictError, InvalidInputError, NotFoundError
from ..model.row_kinds import MemoryKind, kind_of
from ..model.types import MemoryItem, OwnerRef, Scope
from ..query.arguments import MemorySelector
from ..query.naming import check_narrows
from .results import is_version, memory_dict

MOST_DELETED = 10_000
"""Memories that one call deletes."""
MOST_SAID = 2000
"""The newest turns that a removal looks through."""


async def with_their_turns(
    engine: Engine, tenant: str, items: Sequence[MemoryItem]
) -> list[MemoryItem]:
    """These, and what else was said in the same turns: a turn is erased as a whole."""
    said = [item for item in items if kind_of(item) is MemoryKind.SAID]
    turns = sorted({turn for item in said for turn in item.provenance.turn_ids})
    beside = await engine.said_rows.of_turns(tenant, turns)
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


def check_deletable(asked: MemorySelector, filters: object, scope: Scope) -> None:
    """Raises InvalidInputError for what would remove more than was meant."""
    if asked.in_the_past:
        raise InvalidInputError("as_of", "cannot be deleted by: what was true stays true")
    check_narrows(filters, scope)
    if not asked.narrows(scope):
        raise InvalidInputError(
            "filters", "expected something that tells the memories; delete_all removes all"
        )
