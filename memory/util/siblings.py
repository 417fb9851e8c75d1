"""Processes that work on the same files of one machine, beside each other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Sibling:
    """Which of them this process is.

    Their parent owns the files that one process must own, and restarts whoever dies.
    """

    folder: Path
    """Of the parent, private: what they tell each other through."""
    number: int
    """From 0; a restarted process has the number of the one that died."""
    count: int

    @property
    def leads(self) -> bool:
        """Whether this one does the work that must be done once."""
        return self.number == 0

    @property
    def others(self) -> tuple[int, ...]:
        """The numbers of the other ones."""
        return tuple(number for number in range(self.count) if number != self.number)
