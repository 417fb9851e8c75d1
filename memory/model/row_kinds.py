"""The two kinds of rows: memories, and statements of users."""

from __future__ import annotations

from enum import StrEnum

from .types import MemoryItem, Source


class MemoryKind(StrEnum):
    """The kind of a row."""

    MEMORY = "memory"
    """Stored as given, extracted or concluded."""
    SAID = "said"
    """In the user's own words, from a turn that is no memory yet."""


EVERY_KIND = frozenset(MemoryKind)
"""The default where a call names no kind."""


BLOCK_PREFIX = "block:"
"""With what the id of a line of a working block begins, where it is shown as a row is."""


def kind_shown(item: MemoryItem) -> str:
    """The kind of a row, and `block` for a line of a working block. Pure."""
    return "block" if item.id.startswith(BLOCK_PREFIX) else kind_of(item).value


def kind_of(item: MemoryItem) -> MemoryKind:
    """The kind of a row. Pure."""
    said = item.provenance.source is Source.SAID
    return MemoryKind.SAID if said else MemoryKind.MEMORY
