"""Tombstones of forgotten memories, in sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...model.owner import covers
from ...model.types import OwnerRef, Scope


class InMemoryTombstones:
    """`Tombstones` that live as long as the process."""

    def __init__(self) -> None:
        self._buried: set[tuple[str, str]] = set()
        self._closed: Counter[OwnerRef] = Counter()

    async def bury(self, tenant: str, memory_ids: Sequence[str]) -> None:
        self._buried.update((tenant, memory_id) for memory_id in memory_ids)

    async def buried(self, tenant: str, memory_ids: Sequence[str]) -> set[str]:
        return {memory_id for memory_id in memory_ids if (tenant, memory_id) in self._buried}

    async def close_scope(self, whose: OwnerRef) -> None:
        self._closed[whose] += 1

    async def epoch(self, scope: Scope) -> tuple[int, ...]:
        # Counts only grow, so their sum changes whenever one of them does.
        return (sum(count for whose, count in self._closed.items() if covers(whose, scope)),)
