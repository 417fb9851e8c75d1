"""Memories as rows of a store. Pure.

Times are milliseconds since the epoch, 0 for none; an id that is not set is the empty string;
provenance and metadata are JSON texts, which keep every number and nesting.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Any

from ...model.claims import claims_dict, claims_of
from ...model.doubts import dumped, loaded
from ...model.errors import InvalidInputError, RecollectError, StoreError
from ...model.times import from_ms, to_ms
from ...model.types import (
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
)
from ...model.wide import Counted
from ..checks import checked_vector
from .fields import MOST_BYTES, TEXT_BYTES

Row = dict[str, Any]

_TYPES = {kind.value: kind for kind in MemoryType}
_STATUSES = {status.value: status for status in MemoryStatus}
_SOURCES = {source.value: source for source in Source}
_DEFAULTS = {field.name: field.default for field in dataclasses.fields(Provenance)}
_MOMENTS = ("recorded_at", "archived_at", "restored_at", "validated_at", "ended_at")
_PROVENANCE = sorted(_DEFAULTS.keys() - {"source", "reasons", "claims", *_MOMENTS})
_WAS = {"archived_from", "ended_from"}
"""What tells a status."""
_TUPLES = {"turn_ids", "flags", "withheld", "pending", "cites"}
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
_DECODER = json.JSONDecoder()


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
        _check_text(name, row[name], size)
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
        origin = _parsed(row["provenance"])
        facts = origin.pop(_FACTS, None)
        item = MemoryItem(
            id=row["id"],
            text=row["text"],
            type=_TYPES[row["type"]],
            scope=_scope(row["tenant"], row["user_id"], row["agent_id"], row["run_id"]),
            status=_STATUSES[row["status"]],
            importance=row["importance"],
            version=int(origin.pop("version", 1)),
            provenance=_provenance(origin),
            created_at=from_ms(row["created_at"]),
            updated_at=from_ms(row["updated_at"]),
            valid_from=_from_ms_or_none(row["valid_from"]),
            valid_to=_from_ms_or_none(row["valid_to"]),
            last_accessed_at=_from_ms_or_none(row["last_accessed_at"]),
            access_count=row["access_count"],
            embedder_id=row["embedder_id"],
            metadata=_parsed(row["metadata"]),
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
            origin = _parsed(row["provenance"])
            # As `Provenance.replaces`.
            told = () if origin.get("stretch") else origin.get("turn_ids", ())
            tally.told.update(turns & set(told))
        # Few wait: the rest is not parsed.
        if waiting and kind[1] is MemoryStatus.ACTIVE and _WAITING in row["provenance"]:
            tally.waiting[row["id"]] = tuple(_parsed(row["provenance"]).get("pending", ()))
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
        "metadata": _json("metadata", dict(item.metadata)),
    }


def _check_text(name: str, value: str, size: int) -> None:
    try:
        length = len(value.encode())
    except UnicodeEncodeError as error:
        raise InvalidInputError(name, "must be valid Unicode text") from error
    if length > size:
        raise InvalidInputError(name, f"must have at most {size} bytes in UTF-8, has {length}")
    if name == "id" and not value:
        raise InvalidInputError(name, "must not be empty")


def _json(name: str, value: Mapping[str, Any]) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(name, f"must be JSON: {error}") from error


def _provenance_with(facts: Mapping[str, Any] | None, item: MemoryItem) -> str:
    """With the facts, unless these make it too long: they can be derived again."""
    fields = _provenance_fields(item)
    if facts is not None:
        both = _json("provenance", fields | {_FACTS: facts})
        if len(both) * _MOST_BYTES_EACH <= MOST_BYTES:
            return both
    return _json("provenance", fields)


def _provenance_fields(item: MemoryItem) -> dict[str, Any]:
    """Only fields that are set: the column is read for every loaded row.

    The version is kept here too: a collection's columns cannot be changed.
    """
    provenance = item.provenance
    fields: dict[str, Any] = {"source": provenance.source.value}
    if item.version != 1:
        fields["version"] = item.version
    for name in _PROVENANCE:
        if (value := getattr(provenance, name)) != _DEFAULTS[name]:
            fields[name] = value
    if provenance.reasons:
        fields["reasons"] = dumped(provenance.reasons)
    if provenance.claims:
        fields["claims"] = claims_dict(provenance.claims)
    for name in _MOMENTS:
        if (moment := getattr(provenance, name)) is not None:
            fields[name] = to_ms(moment)
    return fields


def _provenance(fields: dict[str, Any]) -> Provenance:
    source = _SOURCES[fields.pop("source")]
    for name in _TUPLES & fields.keys():
        fields[name] = tuple(fields[name])
    for name in _MOMENTS:
        if name in fields:
            fields[name] = from_ms(fields[name])
    if "reasons" in fields:
        fields["reasons"] = loaded(fields["reasons"])
    if "claims" in fields:
        fields["claims"] = claims_of(fields["claims"])
    for name in _WAS & fields.keys():
        fields[name] = _STATUSES[fields[name]]
    return Provenance(source=source, **fields)


def _parsed(text: str) -> dict[str, Any]:
    """`json.loads` for the output of `_json`, in a third of the time: it runs for every row."""
    value, end = _DECODER.raw_decode(text)
    if end != len(text) or not isinstance(value, dict):
        raise ValueError("expected one JSON object")
    return value


@functools.lru_cache(maxsize=1024)  # consecutive rows mostly have the same scope
def _scope(tenant: str, user_id: str, agent_id: str, run_id: str) -> Scope:
    return Scope(
        tenant=tenant, user_id=user_id or None, agent_id=agent_id or None, run_id=run_id or None
    )


def _ms_or_zero(moment: datetime | None) -> int:
    return 0 if moment is None else to_ms(moment)


def _from_ms_or_none(milliseconds: int) -> datetime | None:
    return from_ms(milliseconds) if milliseconds else None
