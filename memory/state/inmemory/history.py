"""The audit trail in a list."""

from __future__ import annotations

from collections.abc import Sequence

from ...types import HistoryRecord


class InMemoryHistory:
    """A `HistoryLog` that lives as long as the process."""

    def __init__(self) -> None:
        self._records: dict[tuple[str, str], HistoryRecord] = {}

    async def append(self, records: Sequence[HistoryRecord]) -> None:
        for record in records:
            self._records.setdefault((record.scope.tenant, record.id), record)

    async def of(self, tenant: str, memory_id: str) -> list[HistoryRecord]:
        return [
            record
            for record in self._records.values()
            if record.scope.tenant == tenant and record.memory_id == memory_id
        ]

    async def reset(self, tenant: str) -> None:
        self._records = {key: r for key, r in self._records.items() if key[0] != tenant}

    async def close(self) -> None:
        self._records.clear()
