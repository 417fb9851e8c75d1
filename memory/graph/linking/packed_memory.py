"""Memories that were read and wait to be linked, as one object each.

Of twenty thousand the collector of garbage would look at half a million objects otherwise, while
nothing else runs.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from datetime import datetime

from ...model.graph import ReadVersion
from .folding import ReadMemory


@dataclass(frozen=True, slots=True)
class PackedMemory:
    """A `ReadMemory` as bytes, with what it is found and sorted by."""

    created_at: datetime
    id: str
    version: ReadVersion
    packed: bytes

    @classmethod
    def of(cls, memory: ReadMemory) -> PackedMemory:
        """Pack one."""
        packed = pickle.dumps(memory, protocol=pickle.HIGHEST_PROTOCOL)
        return cls(memory.created_at, memory.id, memory.version, packed)

    @property
    def memory(self) -> ReadMemory:
        """The same as it was."""
        found: ReadMemory = pickle.loads(self.packed)  # noqa: S301 - its own bytes, never stored
        return found

    @property
    def order(self) -> tuple[datetime, str]:
        """As `ReadMemory.order`."""
        return self.created_at, self.id
