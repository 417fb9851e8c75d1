"""The two kinds of what is remembered of somebody: memories, and what they said."""

from __future__ import annotations

from enum import StrEnum

from .types import MemoryItem, Source


class MemoryKind(StrEnum):
    """What a row is."""

    MEMORY = "memory"
    """Stored as given, extracted or concluded."""
    SAID = "said"
    """In the user's own words, of a turn that no memory took the place of."""


EVERY_KIND = frozenset(MemoryKind)
"""What is meant where no kind is named."""


def kind_of(item: MemoryItem) -> MemoryKind:
    """What a row is. Pure."""
    said = item.provenance.source is Source.SAID
    return MemoryKind.SAID if said else MemoryKind.MEMORY
