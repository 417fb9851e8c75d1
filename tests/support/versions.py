"""Counters of writes within one process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


class LocalVersions:
    """`WriteCounters` for several indexes of one store within a test."""

    def __init__(self) -> None:
        self._counters: Counter[str] = Counter()

    async def current(self, keys: Sequence[str]) -> tuple[int, ...]:
        return tuple(self._counters[key] for key in keys)

    async def bump(self, key: str) -> int:
        self._counters[key] += 1
        return self._counters[key]
