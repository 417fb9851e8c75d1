"""How a process learns that another one has written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol


class Versions(Protocol):
    """Counters of indexes and of tenants, shared by every process that writes to the store."""

    async def current(self, keys: Sequence[str]) -> tuple[int, ...]:
        """The counters now; 0 where nobody ever wrote. Raises StateError."""

    async def bump(self, key: str) -> int:
        """Count one write that is done; the new value. Raises StateError."""


class LocalVersions:
    """Counters in this process, for several indexes of one store within it."""

    def __init__(self) -> None:
        self._counters: Counter[str] = Counter()

    async def current(self, keys: Sequence[str]) -> tuple[int, ...]:
        return tuple(self._counters[key] for key in keys)

    async def bump(self, key: str) -> int:
        self._counters[key] += 1
        return self._counters[key]
