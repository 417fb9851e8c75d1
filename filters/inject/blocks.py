"""A block of memories as it is injected. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from recollect.memory.model.types import MemoryItem

from .fence import Fence
from .render import render


@dataclass(frozen=True, slots=True)
class Block:
    """A block's exact text and its memories."""

    text: str
    memory_ids: frozenset[str]
    versions: frozenset[str]

    @classmethod
    def of(cls, items: Sequence[MemoryItem], fence: Fence) -> Self:
        """The block that shows these memories, best first."""
        return cls(render(items, fence), frozenset(item.id for item in items), versions_of(items))


def version_of(item: MemoryItem) -> str:
    """The id and text hash: a memory that was updated since it was shown is shown again."""
    return f"{item.id} {item.hash}"


def versions_of(items: Iterable[MemoryItem]) -> frozenset[str]:
    """The versions of these memories."""
    return frozenset(map(version_of, items))
