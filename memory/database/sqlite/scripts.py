"""Runs scripts in SQLite."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, cast

from ...model.errors import StateError
from ..scripts import (
    Row,
    Script,
    SqlStatement,
    bindable,
    for_sqlite,
    listed,
    plain_row,
)
from .connect import BUSY_TIMEOUT_MS
from .database import REFUSED, Database

T = TypeVar("T")


class SqliteScripts:
    """`ScriptRunner` on one file, which one process at a time writes."""

    keys = None

    def __init__(self, database: Database, *, reader: bool = False, alone: bool = False) -> None:
        """With `reader` what only reads has a thread of its own: it waits for no writer."""
        self.database = database
        self.alone = alone
        self._reading: ThreadPoolExecutor | None = None
        self._reader: sqlite3.Connection | None = None
        self._closed = False
        if reader:
            self._reading = ThreadPoolExecutor(1, thread_name_prefix=f"read-{database.path.name}")

    @property
    def refused(self) -> int:
        return self.database.writes.refused

    async def change(
        self, script: Callable[[], Script[T]], *, tenants: Collection[str], erases: bool = False
    ) -> T:
        del tenants  # a transaction has the file to itself
        return await self.database.run(
            lambda connection: self._run(connection, script), erases=erases
        )

    async def read(self, script: Callable[[], Script[T]]) -> T:
        if self._reading is None:
            return await self.database.run(lambda connection: self._run(connection, script))
        if self._closed:
            raise StateError(f"{self.database.path.name} is closed")
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._reading, self._read, script)
        except REFUSED as error:
            raise self.database.translated(error) from error

    async def rows(
        self, sql: str, values: Mapping[str, object], decode: Callable[[Row], T]
    ) -> list[T]:
        return await self.read(lambda: listed(sql, values, decode))

    async def statement(
        self, sql: str, values: Mapping[str, object], *, once: str | None = None
    ) -> list[Row]:
        del once  # there is no connection to lose, and nobody else writes
        text, lists = for_sqlite(sql)
        rows = await self.database.statement(text, _bound(values, lists))
        return list(map(plain_row, rows))

    async def shift_ms(self) -> int:
        return 0  # it has no clock of its own

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
            return self._run(self._reader, script)
        finally:
            self._reader.execute("ROLLBACK")

    def _run(self, connection: sqlite3.Connection, script: Callable[[], Script[T]]) -> T:
        running = script()
        rows: Any = None  # begins it
        try:
            while True:
                rows = self._execute(connection, running.send(rows))
        except StopIteration as end:
            return cast("T", end.value)

    def _execute(self, connection: sqlite3.Connection, statement: SqlStatement) -> list[Row]:
        sql, lists = for_sqlite(statement.sql)
        each = [statement.values] if statement.many is None else statement.many
        ran = (connection.execute(sql, _bound(values, lists)) for values in each)
        return [plain_row(row) for found in ran for row in found.fetchall()]


def _bound(values: Mapping[str, object], lists: Collection[str]) -> Mapping[str, object]:
    bound = bindable(values)
    for name in lists:
        bound[name] = json.dumps(bound[name])
    return bound


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
