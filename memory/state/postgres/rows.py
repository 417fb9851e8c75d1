"""A history record as a row and back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from ...times import from_ms, to_ms
from ...types import EventKind, HistoryRecord, Scope

_KINDS = {
    "id": "text",
    "memory_id": "text",
    "event": "text",
    "old_value": "text",
    "new_value": "text",
    "timestamp": "bigint",
    "is_deleted": "boolean",
    "tenant": "text",
    "user_id": "text",
    "agent_id": "text",
    "run_id": "text",
    "valid_at": "bigint",
    "stage": "text",
    "reason": "text",
    "scores": "json",
}
COLUMNS = ", ".join(_KINDS)
TYPES = tuple(_KINDS.values())
"""Of `COLUMNS`, in their order."""

_ESCAPE = "\x1b"
_NUL, _ITSELF = f"{_ESCAPE}0", f"{_ESCAPE}1"
"""PostgreSQL's text holds every character but NUL."""


def columns_of(records: Iterable[HistoryRecord]) -> list[list[object]]:
    """The values of each of `COLUMNS`, one per record."""
    return [list(column) for column in zip(*map(_row, records), strict=True)]


def record_from(row: Sequence[Any]) -> HistoryRecord:
    """The record kept in a row of `COLUMNS`."""
    record_id, memory_id, event, old_value, new_value, timestamp, is_deleted, *rest = row
    tenant, user_id, agent_id, run_id, valid_at, stage, reason, scores = rest
    return HistoryRecord(
        id=_plain(record_id),
        memory_id=_plain(memory_id),
        event=EventKind(event),
        old_value=None if old_value is None else _plain(old_value),
        new_value=None if new_value is None else _plain(new_value),
        timestamp=from_ms(timestamp),
        is_deleted=is_deleted,
        scope=Scope(tenant=tenant, user_id=user_id, agent_id=agent_id, run_id=run_id),
        valid_at=None if valid_at is None else from_ms(valid_at),
        stage=_plain(stage),
        reason=_plain(reason),
        scores={} if scores is None else json.loads(scores),
    )


def escaped(text: str) -> str:
    """The text as it can be stored; half of a character becomes a question mark."""
    text = text.encode("utf-8", "replace").decode()
    return text.replace(_ESCAPE, _ITSELF).replace("\x00", _NUL)


def _plain(text: str) -> str:
    return re.sub(f"{_ESCAPE}(.)", lambda found: "\x00" if found[1] == "0" else _ESCAPE, text)


def _row(record: HistoryRecord) -> tuple[object, ...]:
    scope = record.scope
    return (
        escaped(record.id),
        escaped(record.memory_id),
        record.event.value,
        None if record.old_value is None else escaped(record.old_value),
        None if record.new_value is None else escaped(record.new_value),
        to_ms(record.timestamp),
        record.is_deleted,
        scope.tenant,
        scope.user_id,
        scope.agent_id,
        scope.run_id,
        None if record.valid_at is None else to_ms(record.valid_at),
        escaped(record.stage),
        escaped(record.reason),
        json.dumps(dict(record.scores)) if record.scores else None,
    )
