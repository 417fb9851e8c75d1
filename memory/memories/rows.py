"""Memories as rows of the database. Pure.

Times are milliseconds since the epoch; an id of a scope that is not set is the empty string.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from ..index.digests import digest
from ..model.errors import RecollectError, StoreError
from ..model.ports import Analyzer
from ..model.times import from_ms, to_ms
from ..model.types import (
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Scope,
    StoredMemory,
    Vector,
)
from .checks import check_text, checked_vector
from .citations import grounds_of
from .provenance import json_object, json_text, provenance_fields, provenance_of

_SCOPE = "tenant, user_id, agent_id, run_id"
ITEM = (
    f"id, {_SCOPE}, type, status, created_at, updated_at, valid_from, valid_to, last_accessed_at, "
    "access_count, importance, version, source, session, text, provenance, metadata, embedder_id"
)
"""The columns that `item_of` reads, in its order."""
ITEM_WIDTH = len(ITEM.split(", "))
WRITTEN = f"{ITEM}, owner, hash, terms, facts"
"""All columns that `values_of` gives."""
_MOST_BYTES = 65_535
"""Of one text: of a Milvus VARCHAR. All stores have it, so that what one holds fits any other."""
_CHECKED = dict.fromkeys(("text", "session", "provenance", "metadata"), _MOST_BYTES) | {
    "id": 512,
    "embedder_id": 512,
}
"""The most bytes of a text, as UTF-8; a scope checks its own ids."""
_FLOAT = np.dtype("<f4")
_TYPES = {kind.value: kind for kind in MemoryType}
_STATUSES = {status.value: status for status in MemoryStatus}
_UNREADABLE = (LookupError, ValueError, TypeError, RecollectError)
_SEPARATOR = " "


def owner_of(tenant: str, user_id: str | None) -> int:
    """The column `owner`: a user of a tenant, or what has no user there."""
    return digest(tenant, user_id or "")


def values_of(memory: StoredMemory, dim: int, terms: Analyzer | None) -> dict[str, object]:
    """The values of `WRITTEN`, and the vector as it is kept.

    Raises:
        InvalidInputError: one does not fit; names the field.
    """
    item, scope = memory.item, memory.item.scope
    return _texts_of(item) | {
        "owner": owner_of(scope.tenant, scope.user_id),
        "created_at": to_ms(item.created_at),
        "updated_at": to_ms(item.updated_at),
        "valid_from": _ms_or_none(item.valid_from),
        "valid_to": _ms_or_none(item.valid_to),
        "last_accessed_at": _ms_or_none(item.last_accessed_at),
        "access_count": item.access_count,
        "importance": float(item.importance),
        "version": item.version,
        "terms": "" if terms is None else joined(terms(item.text)),
        "facts": None if memory.facts is None else json_text("facts", memory.facts),
        "vector": kept_vector(memory.vector, dim),
        "grounds": grounds_of(item),
    }


def _texts_of(item: MemoryItem) -> dict[str, Any]:
    """The columns that are texts. Raises InvalidInputError for one that is too long."""
    scope, origin = item.scope, provenance_fields(item.provenance)
    values: dict[str, Any] = {
        "id": item.id,
        "tenant": scope.tenant,
        "user_id": scope.user_id or "",
        "agent_id": scope.agent_id or "",
        "run_id": scope.run_id or "",
        "type": item.type.value,
        "status": item.status.value,
        "text": item.text,
        "hash": item.hash,
        # Columns of their own, for filters.
        "source": origin.pop("source"),
        "session": origin.pop("conversation_id", None),
        "provenance": json_text("provenance", origin),
        "metadata": json_text("metadata", dict(item.metadata)),
        "embedder_id": item.embedder_id,
    }
    for name, most in _CHECKED.items():
        if (value := values[name]) is not None:
            check_text(name, value, most)
    return values


def item_of(row: Sequence[Any]) -> MemoryItem:
    """The memory of a row that begins with `ITEM`. Raises StoreError: we did not write it."""
    try:
        session = row[16]
        origin = json_object(row[18])
        origin["source"] = row[15]
        if session is not None:
            origin["conversation_id"] = session
        return MemoryItem(
            id=row[0],
            text=row[17],
            type=_TYPES[row[5]],
            scope=scope_of(row[1], row[2], row[3], row[4]),
            status=_STATUSES[row[6]],
            created_at=from_ms(row[7]),
            updated_at=from_ms(row[8]),
            valid_from=_from_ms_or_none(row[9]),
            valid_to=_from_ms_or_none(row[10]),
            last_accessed_at=_from_ms_or_none(row[11]),
            access_count=row[12],
            importance=row[13],
            version=row[14],
            provenance=provenance_of(origin),
            metadata=json_object(row[19]),
            embedder_id=row[20],
        )
    except _UNREADABLE as error:
        raise StoreError(f"there is a memory that cannot be read, {row[0]!r}: {error}") from error


def facts_of(text: str | None) -> Mapping[str, Any] | None:
    """The facts of a row."""
    return None if text is None else json_object(text)


@functools.lru_cache(maxsize=1024)  # consecutive rows mostly have the same scope
def scope_of(tenant: str, user_id: str, agent_id: str, run_id: str) -> Scope:
    """The scope of a row."""
    return Scope(
        tenant=tenant, user_id=user_id or None, agent_id=agent_id or None, run_id=run_id or None
    )


def kept_vector(vector: Vector, dim: int) -> bytes:
    """The vector as it is kept. Raises InvalidInputError: it has another shape, or no numbers."""
    return checked_vector(vector, dim).astype(_FLOAT, copy=False).tobytes()


def vector_of(kept: bytes) -> Vector:
    """The vector that was kept; it cannot be written."""
    return np.frombuffer(kept, _FLOAT)


def joined(terms: Sequence[str]) -> str:
    """Index terms as one text with a space before and behind each."""
    return f"{_SEPARATOR}{_SEPARATOR.join(terms)}{_SEPARATOR}" if terms else ""


def parted(terms: str) -> list[str]:
    """The index terms that were joined."""
    return terms[1:-1].split(_SEPARATOR) if terms else []


def _ms_or_none(moment: datetime | None) -> int | None:
    return None if moment is None else to_ms(moment)


def _from_ms_or_none(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else from_ms(milliseconds)
