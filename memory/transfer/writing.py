"""Writes rows whose ids may be known already: nothing that was forgotten comes back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..forget import Forgetter, WriteGuard
from ..model.types import HistoryRecord, MemoryItem, Scope, StoredMemory
from ..records.parts import Parts
from ..records.writing import InsidePorts


@dataclass(frozen=True, slots=True)
class Written:
    """A row to write, with the records of its history that are to be there too."""

    memory: StoredMemory
    history: Sequence[HistoryRecord] = ()


class SafeWriter:
    """Writes rows of one tenant. All methods raise StoreError and StateError."""

    def __init__(self, parts: Parts, forgetter: Forgetter) -> None:
        self._tombstones = parts.state.tombstones
        self._forgetter = forgetter

    async def guards(self, scopes: Iterable[Scope]) -> dict[Scope, WriteGuard]:
        """To be made before anything is read that the write depends on."""
        return {scope: await self._forgetter.guard(scope) for scope in set(scopes)}

    async def buried(self, tenant: str, ids: Iterable[str]) -> set[str]:
        """The ids among these that were forgotten or deleted."""
        return await self._tombstones.among(tenant, sorted(set(ids)))

    async def write(
        self, ports: InsidePorts, rows: Sequence[Written], guards: Mapping[Scope, WriteGuard]
    ) -> set[str]:
        """Write rows within a transaction; returns the ids of those that were forgotten since."""
        by_scope: dict[Scope, list[MemoryItem]] = defaultdict(list)
        for row in rows:
            by_scope[row.memory.item.scope].append(row.memory.item)
        gone: set[str] = set()
        for scope, items in by_scope.items():
            guard = guards[scope]
            void = await guard.is_void(ports)
            lost = items if void else await guard.buried(ports, items)
            gone.update(item.id for item in lost)
        left = [row for row in rows if row.memory.item.id not in gone]
        await ports.history.append([record for row in left for record in row.history])
        await ports.memories.put([row.memory for row in left])
        return gone
