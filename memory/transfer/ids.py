"""The ids that imported rows get. Pure.

A row keeps its id if it is known to be its tenant's. Else it gets one that follows from the old id
and the row's scope, so that importing again finds the same row, and so that nobody can choose the
id of a row that is somebody else's.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import astuple, replace
from functools import partial
from typing import Any

from ..model.types import HistoryRecord, MemoryItem, Scope
from .line_reader import Carried
from .lines import ID_LISTS, ID_TEXTS

_IDS = uuid.UUID("9d1f2c37-53c5-4c55-9f0a-5d6c3f8f3f10")

Renamed = Callable[[str], str]
"""The new id for an old one."""


def derived(scope: Scope, old: str) -> str:
    """The id that replaces an old one in this scope."""
    name = "\0".join(part or "" for part in (*astuple(scope), old))
    return str(uuid.uuid5(_IDS, name))


def renamed(carried: Carried, rename: Renamed, *, trusted: bool) -> Carried:
    """The row and its history with new ids, references too.

    Unless the line is `trusted`, the ids of turns and records are replaced as well. Turns are
    erased with the memories that name them, and a record is written once under its id: whoever
    writes a line must not name somebody else's.
    """
    return replace(
        carried,
        item=_item(carried.item, rename, trusted=trusted),
        history=tuple(_record(record, rename, trusted=trusted) for record in carried.history),
    )


def _item(item: MemoryItem, rename: Renamed, *, trusted: bool) -> MemoryItem:
    origin, scope = item.provenance, item.scope
    named: dict[str, Any] = {name: _one(getattr(origin, name), rename) for name in ID_TEXTS}
    named |= {name: tuple(map(rename, getattr(origin, name))) for name in ID_LISTS}
    if not trusted:
        named["turn_ids"] = tuple(derived(scope, each) for each in origin.turn_ids)
        named["stretch"] = _one(origin.stretch, partial(derived, scope))
    return replace(item, id=rename(item.id), provenance=replace(origin, **named))


def _record(record: HistoryRecord, rename: Renamed, *, trusted: bool) -> HistoryRecord:
    memory_id = rename(record.memory_id)
    # Of a copy in the same tenant, the memory that it is copied from has the old id.
    own = trusted and memory_id == record.memory_id
    return replace(
        record,
        id=record.id if own else derived(record.scope, record.id),
        memory_id=memory_id,
        taken_from=_one(record.taken_from, rename),
        withheld=tuple(map(rename, record.withheld)),
    )


def _one(memory_id: str | None, rename: Renamed) -> str | None:
    return None if memory_id is None else rename(memory_id)
