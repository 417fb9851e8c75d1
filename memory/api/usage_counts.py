"""Memories as the API returns them, with how often they were recalled."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from ..database.usage import SqlUsage
from ..model.errors import StateError
from ..model.times import iso
from ..model.types import MemoryItem
from ..model.usage import Usage
from .results import MemoryDict, memory_dict

log = logging.getLogger(__name__)

_SLICE = 200
"""Memories that are written down before other tasks get a turn: two milliseconds."""


async def usage_of(counters: SqlUsage, tenant: str, ids: Sequence[str]) -> dict[str, Usage]:
    """The counters of these memories; none if the state does not answer, which is logged."""
    try:
        return await counters.of(tenant, ids) if ids else {}
    except StateError as error:
        log.warning("memories are shown without their usage: %s", error)
        return {}


async def with_usage(counters: SqlUsage, items: Sequence[MemoryItem]) -> list[MemoryDict]:
    """These memories of one tenant, in their order."""
    tenant = items[0].scope.tenant if items else ""
    used = await usage_of(counters, tenant, [item.id for item in items])
    told = []
    for start in range(0, len(items), _SLICE):
        told += [_shown(item, used.get(item.id)) for item in items[start : start + _SLICE]]
        await asyncio.sleep(0)
    return told


def _shown(item: MemoryItem, usage: Usage | None) -> MemoryDict:
    told = memory_dict(item)
    if usage is not None and usage.recalled:
        told["access_count"] = usage.recalled
    if usage is not None and usage.last_recalled is not None:
        told["last_accessed_at"] = iso(usage.last_recalled)
    return told
