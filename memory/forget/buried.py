"""Which rows nobody may see any more, although they are there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ..ports import Tombstones
from ..types import MemoryItem

PAGE = 500
"""Ids of one question."""


async def buried_among(tombstones: Tombstones, items: Iterable[MemoryItem]) -> list[MemoryItem]:
    """Those of the rows that were forgotten, or whose memory was. Raises StateError."""
    by_tenant: dict[str, list[MemoryItem]] = defaultdict(list)
    for item in items:
        by_tenant[item.scope.tenant].append(item)
    found: list[MemoryItem] = []
    for tenant, some in by_tenant.items():
        ids = sorted({one for item in some for one in names(item)})
        buried: set[str] = set()
        for page in pages(ids, PAGE):
            buried |= await tombstones.buried(tenant, page)
        found += [item for item in some if buried.intersection(names(item))]
    return found


def names(item: MemoryItem) -> set[str]:
    """The row's own id and that of the memory whose version it is. Pure."""
    live = item.provenance.superseded_by
    return {item.id} if live is None else {item.id, live}


def pages(values: Sequence[str], size: int) -> list[Sequence[str]]:
    """The values, so many at a time. Pure."""
    return [values[at : at + size] for at in range(0, len(values), size)]
