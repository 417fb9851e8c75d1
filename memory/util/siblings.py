"""Processes that work on the same files of one machine, beside each other."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows has no such locks
    fcntl = None  # type: ignore[assignment]

_TURN = "turn"
_AGAIN_SECONDS = 0.05


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


@contextlib.asynccontextmanager
async def one_at_a_time(sibling: Sibling | None) -> AsyncIterator[None]:
    """Run the block while no sibling runs its own; the end of a process ends its turn.

    For what cannot be begun twice at once, such as making the tables of a new store.
    """
    if sibling is None or fcntl is None:
        yield
        return
    descriptor = os.open(sibling.folder / _TURN, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        while not _taken(descriptor):  # noqa: ASYNC110 - another process ends it
            await asyncio.sleep(_AGAIN_SECONDS)
        yield
    finally:
        os.close(descriptor)


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
