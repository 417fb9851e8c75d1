"""Counters of writes in memory that sibling processes share.

Each process counts in cells of its own, so that no two ever write the same one, and the value of a
key is the sum over all of them: no lock, no call of the system, about a microsecond. Whoever writes
counts before it answers its client, so that the client's next request finds it, wherever it goes.
"""

from __future__ import annotations

import mmap
import os
import zlib
from pathlib import Path
from typing import Self

from ...util.siblings import Sibling

CELLS = 2**18
"""Of each process. Keys share cells by chance: then a user's caches are read again for nothing."""
_CELL_BYTES = 8


class SharedCounters:
    """Counters by any text. They begin at zero with the parent, and outlive each process."""

    def __init__(self, path: Path, *, number: int, count: int) -> None:
        """Whoever comes first makes the file; its unused parts take no room."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.ftruncate(descriptor, count * CELLS * _CELL_BYTES)
            self._memory = mmap.mmap(descriptor, 0)
        finally:
            os.close(descriptor)
        self._cells = memoryview(self._memory).cast("Q")
        self._own = number * CELLS
        self._all = tuple(range(0, count * CELLS, CELLS))

    @classmethod
    def of(cls, sibling: Sibling) -> Self:
        """Those of a sibling and all others."""
        return cls(sibling.folder / "counters", number=sibling.number, count=sibling.count)

    def value(self, key: str) -> int:
        """How often this key was counted, by all processes."""
        cell = _cell_of(key)
        return sum([self._cells[first + cell] for first in self._all])

    def count(self, key: str) -> int:
        """Count once more; the new value."""
        self._cells[self._own + _cell_of(key)] += 1
        return self.value(key)

    def close(self) -> None:
        """Release the memory."""
        self._cells.release()
        self._memory.close()


def _cell_of(key: str) -> int:
    return zlib.crc32(key.encode()) % CELLS
