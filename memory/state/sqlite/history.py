"""The audit trail in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from ...times import from_ms, to_ms
from ...types import EventKind, HistoryRecord
from .database import Database
from .rows import scope_from, text_or_none


class SqliteHistory:
    """A `HistoryLog` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, records: Sequence[HistoryRecord]) -> None:
        rows = [_row(record) for record in records]

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany(
                "INSERT OR IGNORE INTO memory_history (id, tenant, memory_id, event, old_value, "
                "new_value, timestamp, is_deleted, user_id, agent_id, run_id) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )

        await self._database.run(write)

    async def of(self, tenant: str, memory_id: str) -> list[HistoryRecord]:
        def read(connection: sqlite3.Connection) -> list[HistoryRecord]:
            rows = connection.execute(
                "SELECT id, memory_id, event, old_value, new_value, timestamp, is_deleted, "
                "tenant, user_id, agent_id, run_id FROM memory_history "
                # By position, not by time: clocks go back, the order of events does not.
                "WHERE tenant = ? AND memory_id = ? ORDER BY position",
                (tenant, memory_id),
            )
            return [_record(row) for row in rows]

        return await self._database.run(read)

    async def reset(self, tenant: str) -> None:
        await self._database.run(
            lambda connection: (
                connection.execute(
                    "DELETE FROM memory_history WHERE tenant = ?", (tenant,)
                ).rowcount
            )
        )

    async def close(self) -> None:
        await self._database.close()


def _row(record: HistoryRecord) -> tuple[object, ...]:
    scope = record.scope
    return (
        record.id,
        scope.tenant,
        record.memory_id,
        record.event.value,
        record.old_value,
        record.new_value,
        to_ms(record.timestamp),
        int(record.is_deleted),
        scope.user_id,
        scope.agent_id,
        scope.run_id,
    )


def _record(row: tuple[object, ...]) -> HistoryRecord:
    record_id, memory_id, event, old_value, new_value, timestamp, is_deleted = row[:7]
    return HistoryRecord(
        id=str(record_id),
        memory_id=str(memory_id),
        event=EventKind(str(event)),
        old_value=text_or_none(old_value),
        new_value=text_or_none(new_value),
        timestamp=from_ms(int(str(timestamp))),
        is_deleted=bool(is_deleted),
        scope=scope_from(*row[7:]),
    )
