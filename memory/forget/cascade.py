"""Finds what is erased with a forgotten memory: everything that was made of its words. Pure.

A memory that was concluded or condensed from others names them (`Provenance.cites`). An episode
tells a whole stretch of conversation, so it may state whatever was said in one of its turns. Both
may hold the words that were forgotten, and are erased with them. Nothing else of what they stand on
is: neither the other memories that they cite, nor the other turns that they tell of.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet

from ..model.types import MemoryItem

_MARK = "turn:"


def is_derived(item: MemoryItem) -> bool:
    """Whether it was made of other memories."""
    return bool(item.provenance.cites)


def is_episode(item: MemoryItem) -> bool:
    """Whether it tells of all that was said in its turns."""
    origin = item.provenance
    return origin.stretch is not None and bool(origin.turn_ids) and not origin.cites


def tells_of(item: MemoryItem, turns: Collection[str]) -> bool:
    """Whether it is an episode of one of these turns."""
    return is_episode(item) and not set(turns).isdisjoint(item.provenance.turn_ids)


def mark_of(turn_id: str) -> str:
    """The tombstone of a turn for episodes, if a fact that names it was forgotten.

    Other facts of the turn stay (`passages.tombstone_of` buries those too).
    """
    return f"{_MARK}{turn_id}"


def buried_by(item: MemoryItem) -> set[str]:
    """The ids that bury this one too."""
    marks = map(mark_of, item.provenance.turn_ids) if is_episode(item) else ()
    return {*item.provenance.cites, *marks}


def cascade_of(
    gone: AbstractSet[str], turns: AbstractSet[str], items: Sequence[MemoryItem]
) -> dict[str, MemoryItem]:
    """The memories that are erased with `gone` and the texts of these `turns`, by id.

    `items` are all rows of a scope. Each takes its versions along, and what cites it.
    """
    derived: dict[str, MemoryItem] = {}
    left = [item for item in items if item.id not in gone]
    marks = set(map(mark_of, turns))
    while True:
        buried = marks.union(gone, derived)
        new = [
            item
            for item in left
            if item.id not in derived
            and (item.provenance.superseded_by in derived or not buried_by(item).isdisjoint(buried))
        ]
        if not new:
            return derived
        derived |= {item.id: item for item in new}


def archived_for(named: Collection[MemoryItem], items: Iterable[MemoryItem]) -> list[MemoryItem]:
    """The rows in the archive that one of these memories stands for, if it is named by itself.

    They say what it says, so who forgets it means them too. Who forgets something that it cites
    only means that: then they stay.
    """
    ids = {item.id for item in named}
    own = {item.id for item in named if ids.isdisjoint(item.provenance.cites)}
    return [item for item in items if item.provenance.archived_for in own]
