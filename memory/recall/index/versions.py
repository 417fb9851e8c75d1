"""How a process learns that another one has written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Versions(Protocol):
    """Counters of indexes and of tenants, shared by every process that writes to the store."""

    async def current(self, keys: Sequence[str]) -> tuple[int, ...]:
        """The counters now; 0 where nobody ever wrote. Raises StateError."""

    async def bump(self, key: str) -> int:
        """Count one write that is done; the new value. Raises StateError."""
