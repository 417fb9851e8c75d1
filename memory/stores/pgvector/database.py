"""The tables of memories in PostgreSQL, with errors as those of a store."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from ...database.postgres.database import Database
from ...database.postgres.tables import MAKING_SECONDS, alone
from ...model.errors import (
    StateError,
    StateUnwritableError,
    StoreError,
    StoreMismatchError,
    StoreUnwritableError,
)
from ...model.format import refuse_other
from .options import PgvectorStoreOptions
from .schema import format_of, identity_of, tables
from .sql import RowCondition

T = TypeVar("T")

_SETTINGS = {"jit": "off"}
"""Compiling a statement takes longer than any of ours runs."""


@contextmanager
def as_store_errors() -> Iterator[None]:
    """Raise StoreError for what the database says of itself."""
    try:
        yield
    except StateUnwritableError as error:
        raise StoreUnwritableError(_named(error)) from error
    except StateError as error:
        raise StoreError(_named(error)) from error


def _named(error: Exception) -> str:
    return str(error).replace("database.url", "store.uri")


class Tables:
    """One table of memories. Raises StoreError only."""

    def __init__(self, database: Database, table: str, shown: str) -> None:
        """`table` is checked by the options: it is safe in SQL."""
        self._database = database
        self.table = table
        self.shown = shown

    @classmethod
    async def connect(cls, options: PgvectorStoreOptions) -> Tables:
        """Reach the server. Raises StoreError, InvalidInputError: no address."""
        with as_store_errors():
            database = await Database.open(
                options.address,
                max_connections=options.max_connections,
                timeout_seconds=options.timeout_seconds,
                tables=False,
                settings=_SETTINGS,
            )
            try:
                await database.fetch("SELECT 1")
            except BaseException:
                await database.close()
                raise
        return cls(database, options.collection, options.shown)

    def beside(self, table: str) -> Tables:
        """Another table over the same connections."""
        return Tables(self._database, table, self.shown)

    async def fetch(self, sql: str, *values: object) -> list[Any]:
        """Run one statement, twice if the connection breaks."""
        with as_store_errors():
            return await self._database.fetch(sql, *values)

    async def select(self, columns: str, asked: RowCondition, more: str = "") -> list[Any]:
        """The rows of a condition."""
        sql = f"SELECT {columns} FROM {self.table} WHERE {asked.condition} {more}"  # noqa: S608 - values are apart
        return await self.fetch(sql, *asked.values)

    async def transact(self, work: Callable[[Any], Awaitable[T]]) -> T:
        """Run `work` on a connection in one transaction, twice if the connection breaks."""
        with as_store_errors():
            return await self._database.transact(work)

    async def insert(self, rows: Sequence[Sequence[object]], sql: str) -> None:
        """Run a statement once for each row, all in one transaction."""
        await self.transact(lambda connection: connection.executemany(sql, rows))

    async def make(self, embedder_id: str, dim: int) -> None:
        """Make the table for vectors of this embedder, unless it is there."""

        async def work(connection: Any) -> None:
            await alone(connection)
            if await connection.fetchval("SELECT to_regclass($1::text)", self.table) is None:
                made = tables(self.table, embedder_id, dim)
                await connection.execute(made, timeout=MAKING_SECONDS)

        await self.transact(work)

    async def identity(self) -> tuple[str, int] | None:
        """Whose vectors the table holds; None if there is no table, or it is not ours.

        Raises StoreMismatchError: it is of another format.
        """
        comment = await self._comment()
        number = format_of(comment)
        if number is not None:
            place = f"the table {self.table} of {self.shown}"
            refuse_other(place, number, StoreMismatchError)
        return identity_of(comment)

    async def exists(self) -> bool:
        return bool(await self._scalar("SELECT to_regclass($1::text) IS NOT NULL"))

    async def ping(self, probe: str) -> None:
        with as_store_errors():
            await self._database.ping(probe)

    async def close(self) -> None:
        await self._database.close()

    async def _comment(self) -> str | None:
        found: str | None = await self._scalar(
            "SELECT obj_description(to_regclass($1::text)::oid, 'pg_class')"
        )
        return found

    async def _scalar(self, sql: str) -> Any:
        [row] = await self.fetch(sql, self.table)
        return row[0]
