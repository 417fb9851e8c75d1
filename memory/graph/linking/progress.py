"""The progress of a rebuild, and its report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuildReport:
    """The counts of a rebuild."""

    memories: int
    entities: int
    relations: int
    seconds: float


class RebuildProgress:
    """Adds up what is told of single owners."""

    def __init__(self, total: int, told: Callable[[int, int], None] | None) -> None:
        self._total = total
        self._told = told
        self.done = 0

    def add(self, more: int) -> None:
        """So many more are linked."""
        self.done += more
        if self._told is not None:
            self._told(self.done, max(self._total, self.done))
