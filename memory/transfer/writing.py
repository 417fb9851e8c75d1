"""Writes rows under ids that may be known already, so that nothing that was forgotten comes back.

    guards -> history -> earlier versions -> rows -> settle

As `learn.apply` does for what was learned: after a crash the next run finds the same ids.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..forget import Forgetter, WriteGuard
from ..forget.buried import PAGE, names, pages
from ..model.ports import Confirm
from ..model.types import HistoryRecord, MemoryItem, Scope, StoredMemory
from ..records.parts import Parts


@dataclass(frozen=True, slots=True)
class Written:
    """A row to write, with the records of its history that are to be there too."""

    memory: StoredMemory
    history: Sequence[HistoryRecord] = ()


class SafeWriter:
    """Writes rows of one tenant. All methods raise StoreError and StateError."""

    def __init__(self, parts: Parts, forgetter: Forgetter) -> None:
        self._store = parts.store
        self._history = parts.history
        self._tombstones = parts.state.tombstones
        self._forgetter = forgetter

    async def guards(self, scopes: Iterable[Scope]) -> dict[Scope, WriteGuard]:
        """To be made before anything is read that the write depends on."""
        return {scope: await self._forgetter.guard(scope, "") for scope in set(scopes)}

    async def buried(self, tenant: str, ids: Iterable[str]) -> set[str]:
        """The ids among these that were forgotten or deleted. Nothing is removed."""
        found: set[str] = set()
        for page in pages(sorted(set(ids)), PAGE):
            found |= await self._tombstones.among(tenant, page)
        return found

    async def write(
        self, rows: Sequence[Written], guards: dict[Scope, WriteGuard], confirm: Confirm
    ) -> set[str]:
        """Write the rows; the ids of those that were forgotten meanwhile and are gone again."""
        by_scope: dict[Scope, list[MemoryItem]] = defaultdict(list)
        for row in rows:
            by_scope[row.memory.item.scope].append(row.memory.item)
        for scope, items in by_scope.items():
            guards[scope].about.update(*map(names, items))
        records = [record for row in rows for record in row.history]
        if records:
            await self._history.append(records)
        memories = [row.memory for row in rows]
        versions = [one for one in memories if one.item.provenance.superseded_by is not None]
        others = [one for one in memories if one.item.provenance.superseded_by is None]
        await confirm()
        for some in (versions, others):
            if some:
                await self._store.put(some)
        gone: set[str] = set()
        for scope, items in by_scope.items():
            gone |= await guards[scope].settle(items)
        return gone
