"""How often memories were used, in SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime

from ...model.times import from_ms, to_ms
from ...model.usage import Usage, UseKind
from .database import Database
from .rows import id_list

_COUNTED = """
    INSERT OR IGNORE INTO occasions (tenant, memory_id, use, occasion, at)
    SELECT :tenant, value, :use, :occasion, :at FROM json_each(:ids)
    WHERE value NOT IN (SELECT memory_id FROM tombstones WHERE tenant = :tenant)
    RETURNING memory_id
"""

_ADD = {
    use: f"""
    INSERT INTO usage (tenant, memory_id, {use.value}) VALUES (?, ?, 1)
    ON CONFLICT DO UPDATE SET {use.value} = {use.value} + 1
"""  # noqa: S608 - the names of an enumeration
    for use in UseKind
}

_SEEN = """
    UPDATE usage SET last_recalled = max(coalesce(last_recalled, :at), :at)
    WHERE tenant = :tenant AND memory_id = :memory_id
"""

_COLUMNS = "memory_id, recalled, last_recalled, confirmed, corrected, positive, negative"


class SqliteUsage:
    """`UsageCounters` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def count(
        self, tenant: str, use: UseKind, memory_ids: Sequence[str], *, occasion: str, at: datetime
    ) -> None:
        ids = list(memory_ids)
        await self._database.run(
            lambda connection: _count(connection, (tenant, occasion), use, ids, to_ms(at))
        )

    async def settle(self, *, limit: int = 100) -> int:
        def work(connection: sqlite3.Connection) -> int:
            turns = connection.execute(
                "SELECT id, tenant, created_at, uncounted FROM turns "
                "WHERE uncounted IS NOT NULL LIMIT ?",
                (limit,),
            ).fetchall()
            for turn_id, tenant, at, noted in turns:
                lists = [json.loads(line) for line in noted.split("\n")]
                ids = [memory_id for each in lists for memory_id in each]
                _count(connection, (tenant, turn_id), UseKind.RECALLED, ids, at)
            connection.executemany(
                "UPDATE turns SET uncounted = NULL WHERE id = ?", [(turn[0],) for turn in turns]
            )
            return len(turns)

        return await self._database.run(work)

    async def of(self, tenant: str, memory_ids: Sequence[str]) -> dict[str, Usage]:
        rows = await self._database.run(
            lambda connection: connection.execute(
                f"SELECT {_COLUMNS} FROM usage "  # noqa: S608 - a constant
                "WHERE tenant = ? AND memory_id IN (SELECT value FROM json_each(?))",
                (tenant, id_list(memory_ids)),
            ).fetchall()
        )
        return {str(row[0]): _usage(*row[1:]) for row in rows}

    async def erase(self, tenant: str, memory_ids: Sequence[str]) -> int:
        values = (tenant, id_list(memory_ids))

        def work(connection: sqlite3.Connection) -> int:
            where = "WHERE tenant = ? AND memory_id IN (SELECT value FROM json_each(?))"
            connection.execute(f"DELETE FROM occasions {where}", values)  # noqa: S608 - a constant
            return connection.execute(f"DELETE FROM usage {where}", values).rowcount  # noqa: S608 - a constant

        return await self._database.run(work)

    async def reset(self, tenant: str) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM occasions WHERE tenant = ?", (tenant,))
            connection.execute("DELETE FROM usage WHERE tenant = ?", (tenant,))

        await self._database.run(work)

    async def prune(self, *, before: datetime) -> None:
        await self._database.change(
            "DELETE FROM occasions WHERE at < ? AND NOT EXISTS "
            "(SELECT 1 FROM turns WHERE turns.id = occasion AND NOT erased)",
            (to_ms(before),),
        )


def _count(
    connection: sqlite3.Connection,
    occasion: tuple[str, str],
    use: UseKind,
    memory_ids: Sequence[str],
    at: int,
) -> None:
    """Count within a transaction; `occasion` has its tenant before it, `at` is in milliseconds."""
    tenant, name = occasion
    values = {"tenant": tenant, "use": use.value, "occasion": name, "at": at}
    new = connection.execute(_COUNTED, values | {"ids": id_list(memory_ids)}).fetchall()
    connection.executemany(_ADD[use], [(tenant, memory_id) for (memory_id,) in new])
    if use is UseKind.RECALLED:
        seen = [{"tenant": tenant, "memory_id": memory_id, "at": at} for (memory_id,) in new]
        connection.executemany(_SEEN, seen)


def _usage(
    recalled: int,
    last_recalled: int | None,
    confirmed: int,
    corrected: int,
    positive: int,
    negative: int,
) -> Usage:
    return Usage(
        recalled=recalled,
        last_recalled=None if last_recalled is None else from_ms(last_recalled),
        confirmed=confirmed,
        corrected=corrected,
        positive=positive,
        negative=negative,
    )
