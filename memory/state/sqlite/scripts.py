"""Runs scripts in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection
from typing import TypeVar

from ..scripts import Row, Script, SqlStatement, bindable, for_sqlite, plain_row
from .database import Database
from .rows import id_list

T = TypeVar("T")


class SqliteScripts:
    """`ScriptRunner` on one file, which one process at a time writes."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @property
    def refused(self) -> int:
        return self.database.writes.refused

    async def change(
        self, script: Callable[[], Script[T]], *, tenants: Collection[str], erases: bool = False
    ) -> T:
        del tenants  # a transaction has the file to itself
        return await self.database.run(lambda connection: _run(connection, script), erases=erases)

    async def read(self, script: Callable[[], Script[T]], *, quick: bool = False) -> T:
        if not quick:
            return await self.database.run(lambda connection: _run(connection, script))
        running = script()
        rows: list[Row] | None = None
        while True:
            try:
                statement = next(running) if rows is None else running.send(rows)
            except StopIteration as end:
                result: T = end.value
                return result
            sql, values = _prepared(statement)
            rows = [plain_row(row) for row in await self.database.statement(sql, values)]

    async def ping(self) -> None:
        await self.database.ping()

    def look(self) -> None:
        self.database.look()

    async def close(self) -> None:
        await self.database.close()


def _run(connection: sqlite3.Connection, script: Callable[[], Script[T]]) -> T:
    running = script()
    rows: list[Row] | None = None
    while True:
        try:
            statement = next(running) if rows is None else running.send(rows)
        except StopIteration as end:
            result: T = end.value
            return result
        rows = _execute(connection, statement)


def _execute(connection: sqlite3.Connection, statement: SqlStatement) -> list[Row]:
    if statement.many is not None:
        sql = for_sqlite(statement.sql)
        connection.executemany(sql, [_listed(bindable(values)) for values in statement.many])
        return []
    return [plain_row(row) for row in connection.execute(*_prepared(statement))]


def _prepared(statement: SqlStatement) -> tuple[str, dict[str, object]]:
    return for_sqlite(statement.sql), _listed(bindable(statement.values))


def _listed(values: dict[str, object]) -> dict[str, object]:
    """Lists as one value, for ``json_each``."""
    return {
        name: id_list(value) if isinstance(value, list) else value for name, value in values.items()
    }
