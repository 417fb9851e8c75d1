"""A block of memories as it was put into a request. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from recollect.memory.types import MemoryItem

from .fence import Fence
from .render import render


@dataclass(frozen=True, slots=True)
class Block:
    """Its exact text, and whose memories stand in it."""

    text: str
    memory_ids: frozenset[str]
    versions: frozenset[str]

    @classmethod
    def of(cls, items: Sequence[MemoryItem], fence: Fence) -> Self:
        """The block that shows these memories, best first."""
        return cls(render(items, fence), frozenset(item.id for item in items), versions_of(items))


def version_of(item: MemoryItem) -> str:
    """Names a memory as it reads now: one that was updated since it was shown is to be shown."""
    return f"{item.id} {item.hash}"


def versions_of(items: Iterable[MemoryItem]) -> frozenset[str]:
    """All of them."""
    return frozenset(map(version_of, items))
