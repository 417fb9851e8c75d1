"""Memories as lines of JSON: a header, a line for each stored row and each turn, an end. Pure.

Fields with their default value are left out. Times are ISO 8601 with all digits; a vector is its
numbers as ``float32``, little endian, in base64.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from ..model.claims import claims_dict
from ..model.doubts import dumped
from ..model.row_kinds import SAID_PREFIX
from ..model.types import (
    HistoryRecord,
    MemoryItem,
    Provenance,
    Recent,
    StoredMemory,
    Turn,
    Vector,
)
from .seals import Seals
from .turns import turn_dict

KIND = "export"
FORMAT = 3
"""A reader refuses a higher one; for lower ones see `earlier`."""
MOMENTS = ("recorded_at", "archived_at", "restored_at", "validated_at", "ended_at")
TEXTS = (
    "conversation_id", "quote", "model", "batch", "superseded_by", "taken_from", "given",
    "matter", "ended", "archived_for", "stretch", "subject", "predicate", "object", "context",
)  # fmt: skip
LISTS = ("turn_ids", "flags", "withheld", "pending", "cites", "put_off", "told_to")
ID_TEXTS = ("superseded_by", "taken_from", "matter", "archived_for")
ID_LISTS = ("withheld", "pending", "cites")
"""Those among them that name other memories."""
WAS = ("archived_from", "ended_from")
"""Statuses. For a provenance, with `source`, `sequence`, `reasons` and `claims`: all fields."""

_ENCODED = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The first line of an export, or of a part of one."""

    embedder: str
    dim: int
    vectors: bool
    """Whether its lines have vectors."""
    made_at: datetime | None = None
    format: int = FORMAT

    def as_dict(self) -> dict[str, Any]:
        """The line as a JSON value."""
        made = {} if self.made_at is None else {"made_at": self.made_at.isoformat()}
        return {
            "recollect": KIND,
            "format": self.format,
            "embedder": self.embedder,
            "dim": self.dim,
            "vectors": self.vectors,
        } | made


def header_line(header: Header) -> bytes:
    """The first line."""
    return _line(header.as_dict()) + b"\n"


def end_line(memories: int) -> bytes:
    """The last line: a file without it is not complete."""
    return _line({"end": True, "memories": memories}) + b"\n"


def memory_line(
    memory: StoredMemory,
    history: Sequence[HistoryRecord],
    *,
    header: Header,
    seals: Seals,
) -> bytes:
    """The line of a stored row with its history."""
    item = memory.item
    said: dict[str, Any] = {"memory": memory_dict(item, header.embedder)}
    if history:
        said["history"] = [record_dict(record) for record in history]
    if header.vectors:
        said["vector"] = vector_text(memory.vector)
    return seals.sealed(item.id, _line(said)) + b"\n"


def turn_line(recent: Recent, seals: Seals) -> bytes:
    """The line of a turn in which something was said."""
    line = _line({"said": turn_dict(recent)})
    return seals.sealed(SAID_PREFIX + recent.turn.id, line) + b"\n"


def unread_line(turn: Turn) -> bytes:
    """The line of a turn that no model is to read of its own accord; nobody sealed it."""
    return _line({"said": turn_dict(Recent(turn, unread=True))}) + b"\n"


def memory_dict(item: MemoryItem, embedder: str) -> dict[str, Any]:
    """A row as a JSON value; of the embedder of the export, `embedder` is left out."""
    said: dict[str, Any] = {
        "id": item.id,
        "text": item.text,
        "type": item.type.value,
        "status": item.status.value,
        **item.scope.ids(),
        "created_at": item.created_at.isoformat(),
        "updated_at": item.updated_at.isoformat(),
        "importance": item.importance,
        "version": item.version,
    }
    for name in ("valid_from", "valid_to", "last_accessed_at"):
        if (moment := getattr(item, name)) is not None:
            said[name] = moment.isoformat()
    if item.access_count:
        said["access_count"] = item.access_count
    if item.metadata:
        said["metadata"] = dict(item.metadata)
    if item.embedder_id != embedder:
        said["embedder"] = item.embedder_id
    said["provenance"] = _provenance(item.provenance)
    return said


def _provenance(origin: Provenance) -> dict[str, Any]:
    said: dict[str, Any] = {"source": origin.source.value}
    if origin.sequence:
        said["sequence"] = origin.sequence
    said |= {name: text for name in TEXTS if (text := getattr(origin, name)) is not None}
    said |= {name: list(values) for name in LISTS if (values := getattr(origin, name))}
    there = ((name, getattr(origin, name)) for name in MOMENTS)
    said |= {name: moment.isoformat() for name, moment in there if moment is not None}
    if origin.reasons:
        said["reasons"] = dumped(origin.reasons)
    if origin.claims:
        said["claims"] = claims_dict(origin.claims)
    was = ((name, getattr(origin, name)) for name in WAS)
    return said | {name: status.value for name, status in was if status is not None}


def record_dict(record: HistoryRecord) -> dict[str, Any]:
    """A record of the history as a JSON value. Its memory and scope are those of the line."""
    said: dict[str, Any] = {
        "id": record.id,
        "event": record.event.value,
        "old_value": record.old_value,
        "new_value": record.new_value,
        "timestamp": record.timestamp.isoformat(),
        "is_deleted": record.is_deleted,
    }
    if record.valid_at is not None:
        said["valid_at"] = record.valid_at.isoformat()
    optional: Mapping[str, Any] = {
        "stage": record.stage,
        "reason": record.reason,
        "scores": dict(record.scores),
        "reasons": dumped(record.reasons),
        "taken_from": record.taken_from,
        "withheld": list(record.withheld),
    }
    return said | {name: value for name, value in optional.items() if value}


def vector_text(vector: Vector) -> str:
    """The numbers as text."""
    return base64.b64encode(np.asarray(vector, dtype="<f4").tobytes()).decode()


def _line(value: Mapping[str, Any]) -> bytes:
    # A lone surrogate is written as an escape.
    try:
        return _ENCODED(value).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()
