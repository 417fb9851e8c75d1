"""Runs scripts in PostgreSQL."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, TypeVar, cast

from ..clock import ServerClock
from ..scripts import (
    LINE,
    Row,
    Script,
    SqlStatement,
    bindable,
    escaped,
    for_postgres,
    one,
    plain_row,
)
from .database import Database

T = TypeVar("T")

_ALONE = "SELECT txid_current(), pg_advisory_xact_lock(hashtextextended($1, 43))"
"""Transactions that change the same tenant wait for each other: what one finds that nothing speaks
of, another could begin to speak of. So an earlier attempt has ended when a later one has the lock.
"""
_TIME = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)"
_IN_LINE = f"SELECT pg_advisory_xact_lock({0x5245434F4C4F47})"
"""One of all tenants ("RECOLOG"): the numbers of rows are given when they are inserted, and others
see them when they are committed."""
_DONE = "SELECT txid_status($1) = 'committed'"


class PostgresScripts:
    """`ScriptRunner` in a database that several processes share."""

    keys = None
    alone = False

    def __init__(self, database: Database, probe: str) -> None:
        """`probe` is a statement that writes; it is rolled back."""
        self.database = database
        self._probe = probe
        self._clock = ServerClock(self._server_time)

    @property
    def refused(self) -> int:
        return self.database.writes.refused

    async def change(
        self, script: Callable[[], Script[T]], *, tenants: Collection[str], erases: bool = False
    ) -> T:
        del erases  # what a server keeps of deleted rows is its operator's matter
        attempts: dict[int, T] = {}

        async def work(connection: Any) -> T:
            number = 0
            for tenant in sorted(tenants):
                number = await connection.fetchval(_ALONE, str(escaped(tenant)))
            for earlier, result in attempts.items():
                if await connection.fetchval(_DONE, earlier):
                    return result
            result = await _run(connection, script)
            if number:
                attempts[number] = result
            return result

        return await self.database.transact(work)

    async def read(self, script: Callable[[], Script[T]]) -> T:
        return await self.database.snapshot(lambda connection: _run(connection, script))

    async def rows(
        self, sql: str, values: Mapping[str, object], decode: Callable[[Row], T]
    ) -> list[T]:
        return list(map(decode, await self.statement(sql, values)))

    async def statement(
        self, sql: str, values: Mapping[str, object], *, once: str | None = None
    ) -> list[Row]:
        if once is not None:
            return await self.change(lambda: one(sql, values, in_line=once == LINE), tenants={once})
        return await _fetch(self.database.fetch, SqlStatement(sql, values))

    async def shift_ms(self) -> int:
        return await self._clock.shift_ms()

    async def ping(self) -> None:
        await self.database.ping(self._probe)

    def look(self) -> None:
        """There is no file that could go away."""

    async def _server_time(self) -> tuple[int, int]:
        [(micros,)] = await self.database.fetch(_TIME)
        return divmod(int(micros), 1_000_000)

    async def close(self) -> None:
        await self.database.close()


async def _run(connection: Any, script: Callable[[], Script[T]]) -> T:
    running = script()
    rows: Any = None  # begins it
    try:
        while True:
            rows = await _execute(connection, running.send(rows))
    except StopIteration as end:
        return cast("T", end.value)


async def _execute(connection: Any, statement: SqlStatement) -> list[Row]:
    if statement.in_line:
        await connection.fetchval(_IN_LINE)
    if statement.many is None:
        return await _fetch(connection.fetch, statement)
    sql, names = for_postgres(statement.sql)
    rows = [bindable(values) for values in statement.many]
    found = await connection.fetchmany(sql, [[row[name] for name in names] for row in rows])
    return [plain_row(tuple(row)) for row in found]


async def _fetch(fetch: Callable[..., Awaitable[Any]], statement: SqlStatement) -> list[Row]:
    sql, names = for_postgres(statement.sql)
    values = bindable(statement.values)
    return [plain_row(tuple(row)) for row in await fetch(sql, *(values[name] for name in names))]
