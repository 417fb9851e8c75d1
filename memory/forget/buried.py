"""Rows that still exist although a tombstone covers them or a turn that they name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ..database.forgetting import SqlTombstones
from ..model.types import MemoryItem
from .falling import stands_on
from .passages import tombstone_of

PAGE = 500
"""Ids per query."""


async def buried_among(tombstones: SqlTombstones, items: Iterable[MemoryItem]) -> list[MemoryItem]:
    """The rows that were forgotten, or whose memory was. Raises StateError."""
    by_tenant: dict[str, list[MemoryItem]] = defaultdict(list)
    for item in items:
        by_tenant[item.scope.tenant].append(item)
    found: list[MemoryItem] = []
    for tenant, some in by_tenant.items():
        ids = sorted({one for item in some for one in names(item)})
        buried: set[str] = set()
        for page in pages(ids, PAGE):
            buried |= await tombstones.among(tenant, page)
        found += [item for item in some if buried.intersection(names(item))]
    return found


def names(item: MemoryItem) -> set[str]:
    """The ids under which a row may be buried. Pure.

    Its id; for an earlier version, the id of its memory; the turns that it was learned from; what
    it stands on.
    """
    live = item.provenance.superseded_by
    own = {item.id} if live is None else {item.id, live}
    return own.union(map(tombstone_of, item.provenance.turn_ids), stands_on(item))


def pages(values: Sequence[str], size: int) -> list[Sequence[str]]:
    """The values in slices of `size`. Pure."""
    return [values[at : at + size] for at in range(0, len(values), size)]
