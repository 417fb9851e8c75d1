"""Who has memories: the users, agents and runs of a tenant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypedDict

from .owner import Owner
from .ports import VectorStore
from .results import iso
from .said.heard import Heard, turns_of_active, unlearned
from .scanning import scanned
from .types import MemoryItem, MemoryStatus

PAGE = 500
_KINDS = {"user_id": "user", "agent_id": "agent", "run_id": "run"}


class EntityDict(TypedDict):
    """A user, an agent or a run with memories."""

    type: str
    """`user`, `agent` or `run`."""
    name: str
    """Its id."""
    total_memories: int
    """Those that are active, and what was said and is no memory yet, as `count` counts them; 0 if
    all that is left are earlier versions, archived ones and such."""
    created_at: str
    """The time of its first memory."""
    updated_at: str
    """The latest change of one."""


@dataclass(slots=True)
class _Entity:
    """What is known of one so far."""

    first: datetime
    latest: datetime
    active: int = 0

    def see(self, item: MemoryItem) -> None:
        self.first = min(self.first, item.created_at)
        self.latest = max(self.latest, item.updated_at)
        self.active += item.status is MemoryStatus.ACTIVE


class Census:
    """Counts memories as they come; keeps nothing of them but ids and times."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], _Entity] = {}

    def count(self, items: Iterable[MemoryItem]) -> None:
        """Add these memories to what is known of their users, agents and runs."""
        for item in items:
            for key, name in item.scope.ids().items():
                new = _Entity(item.created_at, item.updated_at)
                self._found.setdefault((_KINDS[key], name), new).see(item)

    def entities(self) -> list[EntityDict]:
        """All of them: users, agents, runs, each by name."""
        order = list(_KINDS.values())
        return [
            EntityDict(
                type=kind,
                name=name,
                total_memories=entity.active,
                created_at=iso(entity.first),
                updated_at=iso(entity.latest),
            )
            for (kind, name), entity in sorted(
                self._found.items(), key=lambda each: (order.index(each[0][0]), each[0][1])
            )
        ]


async def entities_of(store: VectorStore, heard: Heard, owner: Owner) -> list[EntityDict]:
    """Those of an owner; a single user's agents and runs are its own.

    Raises StoreError, StateError.
    """
    census = Census()
    if owner.user_id is not None:
        scope = owner.scope()
        items = await store.list(scope, limit=None, statuses=frozenset(MemoryStatus))
        census.count(items)
        said = unlearned(await heard.of_scope(scope), items)
        census.count(one.item for one in said)
        return census.entities()
    tenant = owner.whole_tenant()
    left: dict[str, list[MemoryItem]] = {}
    async for passages in heard.of_tenant(tenant):
        for one in passages:
            # Of the text nothing is kept: all that a tenant said may be much.
            left.setdefault(one.turn_id, []).append(replace(one.item, text=""))
    async for page in scanned(store, page=PAGE):
        own = [each.item for each in page if each.item.scope.tenant == tenant]
        census.count(own)
        for turn in turns_of_active(own):
            left.pop(turn, None)
    census.count(item for items in left.values() for item in items)
    return census.entities()
