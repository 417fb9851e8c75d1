"""The audit trail in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from ...model.ports import MAX_NONE
from ...model.types import HistoryRecord, Scope
from ..rows import COLUMNS, by_memory, record_from, repeated, row_of
from .database import Database
from .rows import id_list, where_whose

_MARKS = ", ".join("?" for _ in COLUMNS.split(","))
_NONES = "FROM memory_history WHERE tenant = ? AND memory_id = ? AND event = 'NONE'"
_TRIM = (
    f"DELETE {_NONES} AND position <= "
    f"(SELECT position {_NONES} ORDER BY position DESC LIMIT 1 OFFSET {MAX_NONE})"
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

    def look(self) -> None:
        self._database.look()

    async def append(self, records: Sequence[HistoryRecord]) -> None:
        rows = [row_of(record) for record in records]

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany(
                f"INSERT OR IGNORE INTO memory_history ({COLUMNS}) "  # noqa: S608 - a constant
                f"VALUES ({_MARKS})",
                rows,
            )
            connection.executemany(_TRIM, [(*memory, *memory) for memory in repeated(records)])

        await self._database.run(write)

    async def of(self, tenant: str, memory_id: str) -> list[HistoryRecord]:
        return await self._database.read(
            f"SELECT {COLUMNS} FROM memory_history "  # noqa: S608 - a constant
            # By position, not by time: clocks can go back, positions cannot.
            "WHERE tenant = ? AND memory_id = ? ORDER BY position",
            (tenant, memory_id),
            record_from,
        )

    async def of_many(
        self, tenant: str, memory_ids: Sequence[str]
    ) -> dict[str, list[HistoryRecord]]:
        found = await self._database.read(
            f"SELECT {COLUMNS} FROM memory_history WHERE tenant = ? "  # noqa: S608 - a constant
            "AND memory_id IN (SELECT value FROM json_each(?)) ORDER BY memory_id, position",
            (tenant, id_list(memory_ids)),
            record_from,
        )
        return by_memory(found)

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
        return await self._database.change(sql, values, erases=True)
