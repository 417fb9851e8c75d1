"""Memories as rows of a store. Pure.

Times are milliseconds since the epoch, 0 for none; an id that is not set is the empty string;
provenance and metadata are JSON texts, which keep every number and nesting.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Any

from ...memories.checks import check_text, checked_vector
from ...memories.fields import MOST_BYTES, TEXT_BYTES
from ...memories.provenance import json_object, json_text, provenance_fields, provenance_of
from ...model.errors import RecollectError, StoreError
from ...model.times import from_ms, to_ms
from ...model.types import (
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Scope,
    StoredMemory,
)
from ...model.wide import Counted

Row = dict[str, Any]

_TYPES = {kind.value: kind for kind in MemoryType}
_STATUSES = {status.value: status for status in MemoryStatus}
COUNTED = [
    *("id", "tenant", "user_id", "agent_id", "run_id"),
    *("type", "status", "created_at", "updated_at"),
]
"""The columns that tell how many memories a scope has."""
_FACTS = "facts"
"""In the column of provenance: a collection's columns cannot be changed."""
_WAITING = '"pending":['
"""In the provenance of a memory that waits for a judgement."""
_MOST_BYTES_EACH = 4
"""Of a character in UTF-8."""


def to_row(memory: StoredMemory, dim: int) -> Row:
    """The row of this memory.

    Raises:
        InvalidInputError: a value does not fit its column; names the field.
    """
    item = memory.item
    row = _texts(item, memory.facts) | {
        "created_at": to_ms(item.created_at),
        "updated_at": to_ms(item.updated_at),
        "valid_from": _ms_or_zero(item.valid_from),
        "valid_to": _ms_or_zero(item.valid_to),
        "last_accessed_at": _ms_or_zero(item.last_accessed_at),
        "access_count": item.access_count,
        "importance": float(item.importance),
    }
    for name, size in TEXT_BYTES.items():
        check_text(name, row[name], size)
    row["vector"] = checked_vector(memory.vector, dim)
    return row


def to_item(row: Mapping[str, Any]) -> MemoryItem:
    """The memory of a row.

    Raises:
        StoreError: the row was not written by us.
    """
    return _read(row)[0]


def _read(row: Mapping[str, Any]) -> tuple[MemoryItem, Mapping[str, Any] | None]:
    try:
        origin = json_object(row["provenance"])
        facts = origin.pop(_FACTS, None)
        item = MemoryItem(
            id=row["id"],
            text=row["text"],
            type=_TYPES[row["type"]],
            scope=_scope(row["tenant"], row["user_id"], row["agent_id"], row["run_id"]),
            status=_STATUSES[row["status"]],
            importance=row["importance"],
            version=int(origin.pop("version", 1)),
            provenance=provenance_of(origin),
            created_at=from_ms(row["created_at"]),
            updated_at=from_ms(row["updated_at"]),
            valid_from=_from_ms_or_none(row["valid_from"]),
            valid_to=_from_ms_or_none(row["valid_to"]),
            last_accessed_at=_from_ms_or_none(row["last_accessed_at"]),
            access_count=row["access_count"],
            embedder_id=row["embedder_id"],
            metadata=json_object(row["metadata"]),
        )
    except (KeyError, ValueError, TypeError, RecollectError) as error:
        raise _unreadable(row, error) from error
    return item, facts if isinstance(facts, dict) else None


def to_memory(row: Mapping[str, Any]) -> StoredMemory:
    """The memory and the vector of a row, with its facts. Raises as `to_item`."""
    item, facts = _read(row)
    return StoredMemory(item, row["vector"], facts)


def count_row(
    tally: Counted, row: Mapping[str, Any], turns: AbstractSet[str], *, waiting: bool = False
) -> None:
    """Count a row of the columns `COUNTED`, with `provenance` for `turns` and `waiting`.

    Raises StoreError: the row was not written by us.
    """
    try:
        scope = _scope(row["tenant"], row["user_id"], row["agent_id"], row["run_id"])
        kind = _TYPES[row["type"]], _STATUSES[row["status"]]
        made, changed = from_ms(row["created_at"]), from_ms(row["updated_at"])
        tally.see(scope, made, changed, kind)
        if turns and kind[1] is MemoryStatus.ACTIVE:
            origin = json_object(row["provenance"])
            # As `Provenance.replaces`.
            told = () if origin.get("stretch") else origin.get("turn_ids", ())
            tally.told.update(turns & set(told))
        # Few wait: the rest is not parsed.
        if waiting and kind[1] is MemoryStatus.ACTIVE and _WAITING in row["provenance"]:
            tally.waiting[row["id"]] = tuple(json_object(row["provenance"]).get("pending", ()))
    except (KeyError, ValueError, TypeError, RecollectError) as error:
        raise _unreadable(row, error) from error


def _unreadable(row: Mapping[str, Any], error: Exception) -> StoreError:
    return StoreError(f"the store holds a row that cannot be read, {row.get('id')!r}: {error}")


def _texts(item: MemoryItem, facts: Mapping[str, Any] | None) -> Row:
    scope = item.scope
    return {
        "id": item.id,
        "partition": scope.partition,
        "tenant": scope.tenant,
        "user_id": scope.user_id or "",
        "agent_id": scope.agent_id or "",
        "run_id": scope.run_id or "",
        "text": item.text,
        "type": item.type.value,
        "status": item.status.value,
        "hash": item.hash,
        "embedder_id": item.embedder_id,
        "provenance": _provenance_with(facts, item),
        "metadata": json_text("metadata", dict(item.metadata)),
    }


def _provenance_with(facts: Mapping[str, Any] | None, item: MemoryItem) -> str:
    """With the facts, unless these make it too long: they can be derived again."""
    fields = _provenance_fields(item)
    if facts is not None:
        both = json_text("provenance", fields | {_FACTS: facts})
        if len(both) * _MOST_BYTES_EACH <= MOST_BYTES:
            return both
    return json_text("provenance", fields)


def _provenance_fields(item: MemoryItem) -> dict[str, Any]:
    """With the version: a collection's columns cannot be changed."""
    fields = provenance_fields(item.provenance)
    return fields if item.version == 1 else {**fields, "version": item.version}


@functools.lru_cache(maxsize=1024)  # consecutive rows mostly have the same scope
def _scope(tenant: str, user_id: str, agent_id: str, run_id: str) -> Scope:
    return Scope(
        tenant=tenant, user_id=user_id or None, agent_id=agent_id or None, run_id=run_id or None
    )


def _ms_or_zero(moment: datetime | None) -> int:
    return 0 if moment is None else to_ms(moment)


def _from_ms_or_none(milliseconds: int) -> datetime | None:
    return from_ms(milliseconds) if milliseconds else None
