"""Whether links are as they were, and what a change of some means for others. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from ...model.graph import MemoryLinks
from .folding import ReadMemory

Place = tuple[datetime, str]
"""Of a memory in the order in which those of an owner are linked."""


def as_before(before: MemoryLinks | None, memory: ReadMemory) -> MemoryLinks | None:
    """The links of a memory that says of entities what it said before; None if it may not."""
    if before is None or before.created_at != memory.created_at:
        return None
    if _kept(before) != _read(memory):
        return None
    return replace(before, scope=memory.scope, version=memory.version)


def disturbs(before: MemoryLinks | None, after: ReadMemory | None, latest: Place | None) -> bool:
    """Whether the memories after it may have to be linked otherwise, because of a change of one.

    One that is added as the newest changes nothing for others, and one that names nobody neither.
    """
    if before is None:
        if after is None or not after.reading.mentions:
            return False
        return latest is not None and after.order <= latest
    if after is not None and as_before(before, after) is not None:
        return False
    return bool(before.mentions) or (after is not None and bool(after.reading.mentions))


def any_disturbs(
    before: Mapping[str, MemoryLinks],
    after: Sequence[ReadMemory],
    gone: Iterable[str],
    latest: Place | None,
) -> bool:
    """The same for several that change together."""
    there = any(disturbs(before.get(each.id), each, latest) for each in after)
    return there or any(disturbs(before.get(each), None, latest) for each in gone)


def moved(before: MemoryLinks | None, after: MemoryLinks) -> bool:
    """Whether these links are to be written."""
    return before is None or _told(before) != _told(after)


def _told(links: MemoryLinks) -> tuple[object, ...]:
    """What links say, in whatever order it is kept."""
    merges = frozenset((each.id, each.by) for each in links.merges)
    said = (frozenset(links.mentions), frozenset(links.relations), merges)
    return (links.scope, links.version, links.created_at, *said)


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
