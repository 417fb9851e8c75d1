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


SAID_PREFIX = "said:"
"""How the id of a passage begins, of what a user said; no memory's does."""
BLOCK_PREFIX = "block:"
"""With what the id of a line of a working block begins, where it is shown as a row is."""


def is_passage(memory_id: object) -> bool:
    """Whether it is the id of something that was said, not of a memory, whatever was given."""
    return isinstance(memory_id, str) and memory_id.startswith(SAID_PREFIX)


def is_block_line(memory_id: str) -> bool:
    """Whether it is the id of a line of a working block."""
    return memory_id.startswith(BLOCK_PREFIX)


def turns_in(passage_id: str) -> list[str]:
    """The ids of the turns that a passage with this id may be of. Pure.

    A turn's own id may end as the number of a passage does.
    """
    rest = passage_id.removeprefix(SAID_PREFIX)
    turn, _, number = rest.rpartition(":")
    return [rest, turn] if turn and number.isdecimal() else [rest]


def kind_shown(item: MemoryItem) -> str:
    """The kind of a row, and `block` for a line of a working block. Pure."""
    return "block" if is_block_line(item.id) else kind_of(item).value


def kind_of(item: MemoryItem) -> MemoryKind:
    """The kind of a row. Pure."""
    said = item.provenance.source is Source.SAID
    return MemoryKind.SAID if said else MemoryKind.MEMORY
