"""The rows that derived memories stand on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ..model.types import MemoryItem, Scope
from ..records.parts import Parts
from . import derived_validity

MOST_READ = 500
"""Rows that are read at a time."""
MOST_MERGES = 8
"""How often a memory may have been merged into another one that was merged again."""


class Citations:
    """Reads what derived memories stand on. Raises StoreError and StateError."""

    def __init__(self, parts: Parts) -> None:
        self._store = parts.store
        self._history = parts.history

    async def get(self, scope: Scope, ids: Collection[str]) -> list[MemoryItem]:
        """Those of these rows that are of exactly this scope."""
        names, found = sorted(ids), list[MemoryItem]()
        for at in range(0, len(names), MOST_READ):
            found += await self._store.get(scope.tenant, names[at : at + MOST_READ])
        return [item for item in found if item.scope == scope]

    async def of(self, scope: Scope, derived: Iterable[MemoryItem]) -> dict[str, MemoryItem]:
        """What memories of a scope cite, as far as it is there, by the id that they cite.

        In place of a memory that was merged into another one it is that one.
        """
        wanted = {name for one in derived for name in one.provenance.cites}
        found = {item.id: item for item in await self.get(scope, wanted)}
        for _ in range(MOST_MERGES):
            into = {
                name: item.provenance.superseded_by
                for name, item in found.items()
                if derived_validity.is_merged(item) and item.provenance.superseded_by
            }
            if not into:
                break
            rows = {item.id: item for item in await self.get(scope, set(into.values()))}
            found |= {name: rows[target] for name, target in into.items() if target in rows}
            if rows.keys().isdisjoint(into.values()):
                break
        return found

    async def stand(self, derived: MemoryItem, grounds: Mapping[str, MemoryItem]) -> bool:
        """Whether what it cites holds, and says what it said then, as far as it is there."""
        own = derived_validity.among(derived, grounds)
        if not all(map(derived_validity.holds, own)):
            return False
        if not derived_validity.may_be_reworded(derived, own):
            return True
        names = [derived.id, *(item.id for item in own)]
        histories = await self._history.of_many(derived.scope.tenant, names)
        return derived_validity.is_supported(derived, own, histories)

    async def support(self, derived: MemoryItem) -> bool:
        """The same, and all of it is there."""
        grounds = await self.of(derived.scope, [derived])
        complete = grounds.keys() == set(derived.provenance.cites)
        return complete and await self.stand(derived, grounds)
