"""Compares links with those before, and finds others that a change concerns. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from ...model.graph import MemoryLinks
from .folding import ReadMemory

Moment = tuple[datetime, str]
"""When a memory was made, and its id: in this order those of an owner are linked."""


def says_as_before(before: MemoryLinks | None, memory: ReadMemory) -> bool:
    """Whether a memory says of entities what it said before."""
    return before is not None and _kept(before) == _read(memory)


def disturb(
    before: Mapping[str, MemoryLinks], after: Sequence[ReadMemory], latest: Moment | None
) -> bool:
    """Whether memories after these may have to be linked otherwise, because these changed.

    One that is added as the newest changes nothing for others, and one that names nobody neither.
    """
    return any(_disturbs(before.get(each.id), each, latest) for each in after)


def moved(before: MemoryLinks | None, after: MemoryLinks) -> bool:
    """Whether these links are to be written."""
    return _told(before) != _told(after) if before is not None else bool(after.mentions)


def _disturbs(before: MemoryLinks | None, after: ReadMemory, latest: Moment | None) -> bool:
    if before is not None:
        return not says_as_before(before, after)
    return bool(after.reading.mentions) and latest is not None and after.order <= latest


def _told(links: MemoryLinks) -> tuple[object, ...]:
    """What links say, in whatever order it is kept."""
    merges = frozenset((each.id, each.by) for each in links.merges)
    return links.scope, frozenset(links.mentions), frozenset(links.relations), merges


def _kept(links: MemoryLinks) -> tuple[object, ...]:
    names = frozenset((each.surface, each.key) for each in links.mentions)
    return names, frozenset((each.relation, each.quote) for each in links.relations)


def _read(memory: ReadMemory) -> tuple[object, ...]:
    names = frozenset(
        (surface.text, key)
        for mention in memory.reading.mentions
        for surface in mention.surfaces
        for key in (surface.key, *surface.more)
    )
    return names, frozenset((each.relation, each.quote) for each in memory.reading.relations)
