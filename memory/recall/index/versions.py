"""Counters by which a process learns of another one's writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Versions(Protocol):
    """Counters of indexes and of tenants, shared by every process that writes to the store."""

    async def current(self, keys: Sequence[str]) -> tuple[int, ...]:
        """The current counters; 0 for keys without a write. Raises StateError."""

    async def bump(self, key: str) -> int:
        """Count one finished write; returns the new value. Raises StateError."""
