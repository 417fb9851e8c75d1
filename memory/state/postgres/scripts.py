"""Runs scripts in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, TypeVar

from ..scripts import Row, Script, SqlStatement, bindable, escaped, for_postgres, plain_row
from .database import Database

T = TypeVar("T")

_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended($1, 43))"
"""Transactions that change the same tenant wait for each other: what one finds that nothing speaks
of, another could begin to speak of."""


class PostgresScripts:
    """`ScriptRunner` in a database that several processes share."""

    def __init__(self, database: Database, probe: str) -> None:
        """`probe` is a statement that writes; it is rolled back."""
        self.database = database
        self._probe = probe

    @property
    def refused(self) -> int:
        return self.database.writes.refused

    async def change(
        self, script: Callable[[], Script[T]], *, tenants: Collection[str], erases: bool = False
    ) -> T:
        del erases  # what a server keeps of deleted rows is its operator's matter

        async def work(connection: Any) -> T:
            for tenant in sorted(tenants):
                await connection.fetch(_ALONE, str(escaped(tenant)))
            return await _run(connection, script)

        return await self.database.transact(work)

    async def read(self, script: Callable[[], Script[T]]) -> T:
        return await self.database.transact(lambda connection: _run(connection, script))

    async def ping(self) -> None:
        await self.database.ping(self._probe)

    def look(self) -> None:
        """There is no file that could go away."""

    async def close(self) -> None:
        await self.database.close()


async def _run(connection: Any, script: Callable[[], Script[T]]) -> T:
    running = script()
    rows: list[Row] | None = None
    while True:
        try:
            statement = next(running) if rows is None else running.send(rows)
        except StopIteration as end:
            result: T = end.value
            return result
        rows = await _execute(connection, statement)


async def _execute(connection: Any, statement: SqlStatement) -> list[Row]:
    sql, names = for_postgres(statement.sql)
    if statement.many is not None:
        rows = [bindable(values) for values in statement.many]
        await connection.executemany(sql, [[row[name] for name in names] for row in rows])
        return []
    values = bindable(statement.values)
    found = await connection.fetch(sql, *(values[name] for name in names))
    return [plain_row(tuple(row)) for row in found]
