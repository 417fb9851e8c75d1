"""Memories as values of a row, and back. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...model.ports import Analyzer
from ...model.types import MemoryItem, StoredMemory, Vector
from ..shared import rows
from .schema import TYPES
from .text import escaped, escaped_json, unescaped

VECTOR = "vector_send(vector) AS vector"
"""A vector as bytes: two integers of 16 bits, then big-endian floats (pgvector, `vector_send`)."""
_HEAD = 4


def values_of(memory: StoredMemory, dim: int, terms: Analyzer | None) -> tuple[object, ...]:
    """The values of `schema.TYPES`, in their order.

    Raises:
        InvalidInputError: a value does not fit; names the field.
    """
    row = rows.to_row(memory, dim)
    item = memory.item
    found: dict[str, object] = {
        name: escaped(value) if isinstance(value, str) else value for name, value in row.items()
    }
    found["facets"] = json.dumps(escaped_json(dict(item.metadata)), ensure_ascii=False)
    found["source"] = item.provenance.source.value
    session = item.provenance.conversation_id
    found["session"] = None if session is None else escaped(session)
    found["version"] = item.version
    found["terms"] = [] if terms is None else [escaped(term) for term in terms(item.text)]
    found["vector"] = row["vector"].tolist()
    return tuple(found[name] for name in TYPES)


def to_item(row: Mapping[str, Any]) -> MemoryItem:
    """The memory of a row. Raises StoreError: the row was not written by us."""
    return rows.to_item(plain(row))


def to_memory(row: Mapping[str, Any]) -> StoredMemory:
    """The same with its vector."""
    return rows.to_memory({**plain(row), "vector": vector_of(row["vector"])})


def vector_of(sent: bytes) -> Vector:
    """The vector that `VECTOR` gave."""
    return np.frombuffer(sent, dtype=">f4", offset=_HEAD).astype(np.float32)


def ids_of(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """The ids of rows."""
    return [unescaped(row["id"]) for row in found]


def plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with its texts as they were given."""
    return {
        name: unescaped(value) if isinstance(value, str) else value for name, value in row.items()
    }
