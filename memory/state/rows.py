"""History records as rows of every SQL database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from ..database.rows import scope_from
from ..model.doubts import dumped, loaded
from ..model.times import from_ms, to_ms
from ..model.types import EventKind, HistoryRecord

COLUMNS = (
    "id, memory_id, event, old_value, new_value, timestamp, is_deleted, "
    "tenant, user_id, agent_id, run_id, valid_at, stage, reason, scores, trust"
)
"""The order that `row_of` writes and `record_from` reads."""


def repeated(records: Iterable[HistoryRecord]) -> set[tuple[str, str]]:
    """The tenant and id of each memory whose NONE records may have become too many."""
    return {
        (record.scope.tenant, record.memory_id)
        for record in records
        if record.event is EventKind.NONE
    }


def by_memory(records: Iterable[HistoryRecord]) -> dict[str, list[HistoryRecord]]:
    """The records by the id of their memory, in order."""
    found: dict[str, list[HistoryRecord]] = {}
    for record in records:
        found.setdefault(record.memory_id, []).append(record)
    return found


def row_of(record: HistoryRecord) -> tuple[object, ...]:
    """The values of `COLUMNS`."""
    scope = record.scope  # field by field: `astuple` takes ten times as long
    return (
        record.id,
        record.memory_id,
        record.event.value,
        record.old_value,
        record.new_value,
        to_ms(record.timestamp),
        record.is_deleted,
        scope.tenant,
        scope.user_id,
        scope.agent_id,
        scope.run_id,
        None if record.valid_at is None else to_ms(record.valid_at),
        record.stage,
        record.reason,
        json.dumps(dict(record.scores)) if record.scores else None,
        _trust(record),
    )


def record_from(row: Sequence[Any]) -> HistoryRecord:
    """The record kept in a row."""
    record_id, memory_id, event, old_value, new_value, timestamp, is_deleted = row[:7]
    valid_at, stage, reason, scores, trust = row[11:]
    about = {} if trust is None else json.loads(trust)
    return HistoryRecord(
        id=record_id,
        memory_id=memory_id,
        event=EventKind(event),
        old_value=old_value,
        new_value=new_value,
        timestamp=from_ms(timestamp),
        is_deleted=bool(is_deleted),
        scope=scope_from(*row[7:11]),
        valid_at=None if valid_at is None else from_ms(valid_at),
        stage=stage,
        reason=reason,
        scores={} if scores is None else json.loads(scores),
        reasons=loaded(about.get("reasons", ())),
        taken_from=about.get("taken_from"),
        withheld=tuple(about.get("withheld", ())),
    )


def _trust(record: HistoryRecord) -> str | None:
    """What was withheld and why, as JSON; None for most records."""
    told = {
        "reasons": dumped(record.reasons),
        "taken_from": record.taken_from,
        "withheld": list(record.withheld),
    }
    said = {name: value for name, value in told.items() if value}
    return json.dumps(said) if said else None
