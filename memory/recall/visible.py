"""What the model sees in the conversation itself, and need not be told. Pure."""

from __future__ import annotations

from ..model.types import MemoryItem


def is_visible(item: MemoryItem, turns: frozenset[str]) -> bool:
    """Whether all that a memory says is in these turns.

    What was changed since may say more than they do, or something else.
    """
    said_in = item.provenance.turn_ids
    return bool(said_in) and item.version == 1 and turns.issuperset(said_in)
