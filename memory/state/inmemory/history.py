"""The audit trail in a dictionary."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...model.ports import MAX_NONE
from ...model.types import EventKind, HistoryRecord, Scope
from ..history_rows import by_memory, repeated


class InMemoryHistory:
    """A `HistoryLog` that lives as long as the process."""

    def __init__(self) -> None:
        self._records: dict[tuple[str, str], HistoryRecord] = {}

    async def append(self, records: Sequence[HistoryRecord]) -> None:
        for record in records:
            self._records.setdefault((record.scope.tenant, record.id), record)
        for tenant, memory_id in repeated(records):
            nones = [r for r in await self.of(tenant, memory_id) if r.event is EventKind.NONE]
            for record in nones[:-MAX_NONE]:
                del self._records[tenant, record.id]

    async def of(self, tenant: str, memory_id: str) -> list[HistoryRecord]:
        return [
            record
            for record in self._records.values()
            if record.scope.tenant == tenant and record.memory_id == memory_id
        ]

    async def of_many(
        self, tenant: str, memory_ids: Sequence[str]
    ) -> dict[str, list[HistoryRecord]]:
        named = set(memory_ids)
        return by_memory(
            record
            for record in self._records.values()
            if record.scope.tenant == tenant and record.memory_id in named
        )

    async def erase(self, tenant: str, memory_ids: Sequence[str]) -> int:
        named = set(memory_ids)
        return self._remove(lambda r: r.scope.tenant == tenant and r.memory_id in named)

    async def erase_scope(self, scope: Scope) -> int:
        return self._remove(lambda record: scope.admits(record.scope))

    async def reset(self, tenant: str) -> None:
        self._remove(lambda record: record.scope.tenant == tenant)

    async def close(self) -> None:
        self._records.clear()

    def _remove(self, meant: Callable[[HistoryRecord], bool]) -> int:
        before = len(self._records)
        self._records = {key: row for key, row in self._records.items() if not meant(row)}
        return before - len(self._records)
