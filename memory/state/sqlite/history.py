"""The audit trail in SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from ...times import from_ms, to_ms
from ...types import EventKind, HistoryRecord, Scope
from .database import Database
from .rows import id_list, scope_from, text_or_none, where_whose

_COLUMNS = (
    "id, memory_id, event, old_value, new_value, timestamp, is_deleted, "
    "tenant, user_id, agent_id, run_id, valid_at, stage, reason, scores"
)


class SqliteHistory:
    """A `HistoryLog` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def refused(self) -> int:
        return self._database.writes.refused

    async def ping(self) -> None:
        await self._database.ping()

    async def append(self, records: Sequence[HistoryRecord]) -> None:
        rows = [_row(record) for record in records]

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany(
                f"INSERT OR IGNORE INTO memory_history ({_COLUMNS}) "  # noqa: S608 - a constant
                f"VALUES ({', '.join('?' * 15)})",
                rows,
            )

        await self._database.run(write)

    async def of(self, tenant: str, memory_id: str) -> list[HistoryRecord]:
        def read(connection: sqlite3.Connection) -> list[HistoryRecord]:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM memory_history "  # noqa: S608 - a constant
                # By position, not by time: clocks go back, the order of events does not.
                "WHERE tenant = ? AND memory_id = ? ORDER BY position",
                (tenant, memory_id),
            )
            return [_record(row) for row in rows]

        return await self._database.run(read)

    async def erase(self, tenant: str, memory_ids: Sequence[str]) -> int:
        where = "tenant = ? AND memory_id IN (SELECT value FROM json_each(?))"
        return await self._remove(where, [tenant, id_list(memory_ids)])

    async def erase_scope(self, scope: Scope) -> int:
        return await self._remove(*where_whose(scope))

    async def reset(self, tenant: str) -> None:
        await self._remove("tenant = ?", [tenant])

    async def close(self) -> None:
        await self._database.close()

    async def _remove(self, where: str, values: Sequence[object]) -> int:
        sql = f"DELETE FROM memory_history WHERE {where}"  # noqa: S608 - see where_whose
        return await self._database.erase(
            lambda connection: connection.execute(sql, values).rowcount
        )


def _row(record: HistoryRecord) -> tuple[object, ...]:
    scope = record.scope
    return (
        record.id,
        record.memory_id,
        record.event.value,
        record.old_value,
        record.new_value,
        to_ms(record.timestamp),
        int(record.is_deleted),
        scope.tenant,
        scope.user_id,
        scope.agent_id,
        scope.run_id,
        None if record.valid_at is None else to_ms(record.valid_at),
        record.stage,
        record.reason,
        json.dumps(dict(record.scores)) if record.scores else None,
    )


def _record(row: tuple[object, ...]) -> HistoryRecord:
    record_id, memory_id, event, old_value, new_value, timestamp, is_deleted = row[:7]
    valid_at, stage, reason, scores = row[11:]
    return HistoryRecord(
        id=str(record_id),
        memory_id=str(memory_id),
        event=EventKind(str(event)),
        old_value=text_or_none(old_value),
        new_value=text_or_none(new_value),
        timestamp=from_ms(int(str(timestamp))),
        is_deleted=bool(is_deleted),
        scope=scope_from(*row[7:11]),
        valid_at=None if valid_at is None else from_ms(int(str(valid_at))),
        stage=str(stage),
        reason=str(reason),
        scores={} if scores is None else json.loads(str(scores)),
    )
