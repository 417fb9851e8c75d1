"""All that hangs together with one memory, for `AsyncMemory.inspect`."""

from __future__ import annotations

import json
from collections.abc import Iterable

from typing_extensions import TypedDict

from ..engine.engine import Engine
from ..memories import SqlMemories
from ..model.endings import is_version
from ..model.inputs import DEFAULT_LIMIT
from ..model.owner import covers
from ..model.types import MemoryItem, MemoryStatus, OwnerRef
from ..query import Predicate
from .results import MemoryDict, memory_dict

_HELD = frozenset({MemoryStatus.ACTIVE, MemoryStatus.QUARANTINED})
_EVER = _HELD | {MemoryStatus.SUPERSEDED}


class InspectDict(TypedDict):
    """A memory, and what it was, contradicts, rests on and bears out.

    Of each the newest, newest first; at most 100.
    """

    memory: MemoryDict
    versions: list[MemoryDict]
    """What it was before each edit."""
    matter: list[MemoryDict]
    """Others of the same matter: what ended for it, or stands beside it."""
    conflicts: list[MemoryDict]
    """Memories of the same matter that nobody judged yet, older or newer."""
    cites: list[MemoryDict]
    """What it was concluded or condensed from."""
    resting: list[MemoryDict]
    """Conclusions and summaries that cite it, of every status."""


async def inspected(engine: Engine, owner_ref: OwnerRef, item: MemoryItem) -> InspectDict:
    """What of this the owner may see. Raises StoreError, StateError."""
    store, origin = engine.parts.store, item.provenance
    naming = await store.resting_on(item.scope.tenant, [item.id])
    naming = [one for one in naming if covers(owner_ref, one.scope)]
    named = await engine.lookup.several(owner_ref, [*origin.pending, *origin.cites])
    matter = _matter_of(item)
    others = await _beside(store, item, matter, lambda one: _matter_of(one) == matter)
    first = await store.get(item.scope.tenant, [matter])
    others += [one for one in first if one.status in _EVER and item.scope.admits(one.scope)]
    waiting = await _beside(store, item, item.id, lambda one: item.id in one.provenance.pending)
    waiting += [named[name] for name in origin.pending if name in named]
    return InspectDict(
        memory=memory_dict(item),
        versions=_told(one for one in naming if _is_version_of(one, item)),
        matter=_told(one for one in others if _is_other(one, item) and _matter_of(one) == matter),
        conflicts=_told(one for one in waiting if one.status in _HELD),
        cites=_told(named[name] for name in origin.cites if name in named),
        resting=_told(one for one in naming if item.id in one.provenance.cites),
    )


async def _beside(
    store: SqlMemories, item: MemoryItem, name: str, passes: Predicate
) -> list[MemoryItem]:
    """Others in the memory's scope that pass, and name this in what they come from."""
    return await store.with_origin(
        item.scope,
        [json.dumps(name, ensure_ascii=False)],
        lambda one: _is_other(one, item) and passes(one),
        limit=DEFAULT_LIMIT,
        statuses=_EVER,
    )


def _is_other(one: MemoryItem, item: MemoryItem) -> bool:
    return one.id != item.id and not is_version(one)


def _is_version_of(one: MemoryItem, item: MemoryItem) -> bool:
    return is_version(one) and one.provenance.superseded_by == item.id


def _matter_of(item: MemoryItem) -> str:
    return item.provenance.matter or item.id


def _told(items: Iterable[MemoryItem]) -> list[MemoryDict]:
    each = {item.id: item for item in items}.values()
    newest = sorted(each, key=lambda one: one.updated_at, reverse=True)[:DEFAULT_LIMIT]
    return [memory_dict(one) for one in newest]
