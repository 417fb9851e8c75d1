"""Runs scripts in SQLite."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ...model.errors import StateError
from ..scripts import Row, Script, SqlStatement, bindable, for_sqlite, plain_row
from .connect import BUSY_TIMEOUT_MS
from .database import REFUSED, Database
from .in_memory import InMemoryDatabase
from .rows import id_list

T = TypeVar("T")


class SqliteScripts:
    """`ScriptRunner` on one file, which one process at a time writes.

    What only reads has a thread and a connection of its own: it waits for no writer, and a long
    list does not hold up the event loop.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self._reading: ThreadPoolExecutor | None = None
        self._reader: sqlite3.Connection | None = None
        self._closed = False
        if not isinstance(database, InMemoryDatabase):
            self._reading = ThreadPoolExecutor(1, thread_name_prefix=f"read-{database.path.name}")

    @property
    def refused(self) -> int:
        return self.database.writes.refused

    async def change(
        self, script: Callable[[], Script[T]], *, tenants: Collection[str], erases: bool = False
    ) -> T:
        del tenants  # a transaction has the file to itself
        return await self.database.run(lambda connection: _run(connection, script), erases=erases)

    async def read(self, script: Callable[[], Script[T]]) -> T:
        if self._reading is None:
            return await self.database.run(lambda connection: _run(connection, script))
        if self._closed:
            raise StateError(f"{self.database.path.name} is closed")
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._reading, self._read, script)
        except REFUSED as error:
            raise self.database.translated(error) from error

    async def ping(self) -> None:
        await self.database.ping()

    def look(self) -> None:
        self.database.look()

    async def close(self) -> None:
        self._closed = True
        if self._reading is not None:
            await asyncio.to_thread(self._reading.shutdown)
        if self._reader is not None:
            # Before the other: whoever closes last copies the log into the file.
            self._reader.close()
            self._reader = None
        await self.database.close()

    def _read(self, script: Callable[[], Script[T]]) -> T:
        if self._reader is None:
            self._reader = _reader(self.database)
        self._reader.execute("BEGIN")
        try:
            return _run(self._reader, script)
        finally:
            self._reader.execute("ROLLBACK")


def _reader(database: Database) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{database.path.absolute().as_uri()}?mode=rw",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=BUSY_TIMEOUT_MS / 1000,
    )
    connection.execute("PRAGMA query_only=ON")
    return connection


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
