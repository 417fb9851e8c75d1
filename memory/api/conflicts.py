"""The part of `AsyncMemory` that shows and settles memories that may contradict each other."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import inputs
from ..model.ports import VectorStore
from ..model.types import MemoryItem
from ..records.owned import Owned
from .changes import Changes
from .moving import Moving
from .results import ConflictDict, ConflictResults, MemoryDict, memory_dict


class Settling(Moving):
    """Memories of one matter stay beside each other until a model or a person judges them."""

    _store: VectorStore
    _owned: Owned
    _changes: Changes

    async def conflicts(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> ConflictResults:
        """What is pending in a scope. Raises ScopeError without ids, and StoreError."""
        scope = self._scope(user_id, agent_id, run_id)
        active = {item.id: item for item in await self._store.list(scope, limit=None)}
        found = [
            ConflictDict(memory=memory_dict(item), others=[memory_dict(one) for one in others])
            for item in active.values()
            if (others := _others(item, active))
        ]
        found.sort(key=lambda one: one["memory"]["created_at"], reverse=True)
        return ConflictResults(results=found)

    async def settle(
        self,
        memory_id: str,
        *,
        replaces: Sequence[str] = (),
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> MemoryDict:
        """Say that a memory replaces those in `replaces`, and stays beside others of its matter.

        What is replaced is superseded; `restore` undoes that. Raises NotFoundError, and
        InvalidInputError for memories of another scope or that do not hold.
        """
        inputs.check_ids("replaces", replaces)
        whose = self._whose(user_id, agent_id, run_id)
        item = await self._owned.existing(whose, memory_id)
        names = [name for name in dict.fromkeys(replaces) if name != memory_id]
        others = [await self._owned.existing(whose, name) for name in names]
        return memory_dict(await self._changes.settle(item, others))


def _others(item: MemoryItem, active: dict[str, MemoryItem]) -> list[MemoryItem]:
    return [active[name] for name in item.provenance.pending if name in active]
