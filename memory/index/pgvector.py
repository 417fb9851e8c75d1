"""A table of PostgreSQL with vectors of pgvector."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import numpy as np

from ..model.errors import StoreError
from ..model.types import Vector
from .options import PgvectorIndexOptions
from .port import SCALARS, IndexFilter, IndexMissingError, IndexRow, not_of

_COLUMNS = {
    "key": "bigint",
    **dict.fromkeys((f'"{name}"' for name in SCALARS), "bigint"),  # user is a word of SQL
    "marks": "bigint[]",
    "vector": "real[]::vector",
}
"""With what their values are sent as."""
_BATCH = 64
"""Rows of one call: they are encoded on the event loop, 80 µs each."""
MAX_CONNECTIONS = 4
"""Of one process: twenty processes stay below the hundred that PostgreSQL takes by default."""
_MAKING_SECONDS = 600.0
_LOCK = 0x5265636F6C6C6563
"""Of the advisory lock under which tables and the extension are made: two at once would fail."""


class PgvectorIndex:
    """`VectorIndex` in one table.

    A search reads the rows of its scope and compares all of them: exact, whatever the filter.
    """

    def __init__(self, pool: Any, table: str, dim: int) -> None:
        """`table` is checked by the options and `open_index`: it is safe in SQL."""
        self._pool = pool
        self._table = table
        self._dim = dim

    @classmethod
    async def open(cls, options: PgvectorIndexOptions, *, name: str, dim: int) -> PgvectorIndex:
        """Raises StoreError, InvalidInputError: it has no address."""
        with _translated("connect"):
            pool = await asyncpg.create_pool(
                options.address,
                min_size=1,
                max_size=MAX_CONNECTIONS,
                timeout=options.call_seconds,
                command_timeout=options.call_seconds,
                # Compiling a statement takes longer than any of ours runs.
                server_settings={"jit": "off"},
            )
        return cls(pool, f"{options.collection}_{name}", dim)

    async def put(self, rows: Sequence[IndexRow]) -> None:
        # In the order of the keys, so that two writers wait for each other only one way.
        latest = sorted({row.key: row for row in rows}.values(), key=lambda row: row.key)
        places = ", ".join(f"${n}::{kind}" for n, kind in enumerate(_COLUMNS.values(), 1))
        changed = ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS)
        sql = (
            f"INSERT INTO {self._table} ({', '.join(_COLUMNS)}) VALUES ({places}) "  # noqa: S608 - see __init__
            f"ON CONFLICT (key) DO UPDATE SET {changed}"
        )
        for start in range(0, len(latest), _BATCH):
            with _translated("put"):
                some = list(map(_values, latest[start : start + _BATCH]))
                await self._pool.executemany(sql, some)

    async def search(
        self, vector: Vector, asked: IndexFilter, *, limit: int
    ) -> list[tuple[int, float]]:
        values: list[object] = [np.asarray(vector, np.float32).tolist()]
        clauses = list(_clauses(asked, values))
        rows = await self._run(
            f"SELECT key, -(vector <#> $1::real[]::vector) AS score FROM {self._table} "  # noqa: S608
            f"WHERE {' AND '.join(clauses)} "
            f"ORDER BY vector <#> $1::real[]::vector, key LIMIT {max(limit, 0)}",
            *values,
        )
        return [(row["key"], min(max(row["score"], -1.0), 1.0)) for row in rows]

    async def delete(self, keys: Sequence[int]) -> None:
        sql = f"DELETE FROM {self._table} WHERE key = ANY($1::bigint[])"  # noqa: S608
        await self._run(sql, list(keys))

    async def drop(self) -> None:
        with _translated("drop"):
            async with self._pool.acquire() as connection, connection.transaction():
                await connection.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
                await connection.execute(_made(self._table, self._dim), timeout=_MAKING_SECONDS)

    async def ping(self) -> None:
        [row] = await self._run(
            "SELECT (SELECT atttypmod FROM pg_attribute WHERE attrelid = to_regclass($1) "
            "AND attname = 'vector') AS dim",
            self._table,
        )
        if row["dim"] != self._dim:
            raise IndexMissingError(f"PostgreSQL: the table {self._table} {not_of(row['dim'])}")

    async def close(self) -> None:
        with _translated("close"):
            await self._pool.close()

    async def _run(self, sql: str, *values: object) -> Any:
        with _translated(sql.partition(" ")[0].lower()):
            return await self._pool.fetch(sql, *values)


def _made(table: str, dim: int) -> str:
    columns = ", ".join(f'"{name}" bigint NOT NULL' for name in SCALARS)
    return f"""
        CREATE EXTENSION IF NOT EXISTS vector;
        DROP TABLE IF EXISTS {table};
        CREATE TABLE {table} (
            key bigint PRIMARY KEY, {columns}, marks bigint[] NOT NULL,
            -- As it was computed, out of the row: it does not compress.
            vector vector({dim}) STORAGE EXTERNAL NOT NULL
        );
        CREATE INDEX ON {table} (tenant, "user");
    """


def _clauses(asked: IndexFilter, values: list[object]) -> Iterator[str]:
    def place(value: object, kind: str = "bigint") -> str:
        values.append(value)
        return f"${len(values)}::{kind}"

    for name, value in asked.equal():
        yield f'"{name}" = {place(value)}'
    for name, values_of in asked.several():
        yield f"{name} = ANY({place(values_of, 'bigint[]')})"
    for sign, moment in ((">=", asked.since), ("<=", asked.until)):
        if moment is not None:
            yield f"at {sign} {place(moment)}"
    if asked.marks:
        yield f"marks @> {place(list(asked.marks), 'bigint[]')}"


def _values(row: IndexRow) -> tuple[object, ...]:
    return (row.key, *row.scalars(), list(row.marks), row.vector.tolist())


@contextlib.contextmanager
def _translated(action: str) -> Iterator[None]:
    try:
        yield
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as error:
        reason = " ".join(str(error).split())[:300] or type(error).__name__
        raise StoreError(f"PostgreSQL: {action} failed: {reason}") from error
