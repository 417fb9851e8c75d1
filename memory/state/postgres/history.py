"""The audit trail in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...database.rows import named
from ...database.scripts import escaped, plain_row
from ...model.ports import MAX_NONE
from ...model.types import HistoryRecord, Scope
from .. import rows
from ..rows import COLUMNS, by_memory, repeated
from .database import Database

_NOT_TEXT = {"timestamp": "bigint", "is_deleted": "boolean", "valid_at": "bigint", "scores": "json"}
TYPES = tuple(_NOT_TEXT.get(column, "text") for column in COLUMNS.split(", "))
"""The types of `COLUMNS`, in the same order."""


def columns_of(records: Iterable[HistoryRecord]) -> list[list[object]]:
    """One list per column of `COLUMNS`, with one value per record."""
    found = map(rows.row_of, records)
    return [
        [escaped(value) if isinstance(value, str) else value for value in column]
        for column in zip(*found, strict=True)
    ]


def record_from(row: Sequence[Any]) -> HistoryRecord:
    """The record kept in a row of `COLUMNS`."""
    return rows.record_from(plain_row(row))


_ARRAYS = ", ".join(f"${number}::{kind}[]" for number, kind in enumerate(TYPES, start=1))

# Rows are inserted in order, so positions are assigned in this order.
_APPEND = f"""
    INSERT INTO memory_history ({COLUMNS})
    SELECT {COLUMNS} FROM unnest({_ARRAYS}) WITH ORDINALITY AS new({COLUMNS}, number)
    ORDER BY number
    ON CONFLICT (tenant, id) DO NOTHING
"""  # noqa: S608 - constants

# A statement of its own: one statement does not see the rows that a part of it inserts.
_TRIM = f"""
    DELETE FROM memory_history WHERE position IN (
        SELECT position FROM (
            SELECT position, row_number() OVER (
                PARTITION BY tenant, memory_id ORDER BY position DESC
            ) AS age
            FROM memory_history JOIN unnest($1::text[], $2::text[]) AS meant (tenant, memory_id)
            USING (tenant, memory_id)
            WHERE event = 'NONE'
        ) AS nones WHERE age > {MAX_NONE}
    )
"""  # noqa: S608 - constants

# As large as a memory can be: a smaller row may fit into a page even if the disk is full.
_PROBE = """
    INSERT INTO memory_history (id, tenant, memory_id, event, new_value, timestamp)
    SELECT 'probe', '', 'probe', 'ADD',
           (SELECT string_agg(md5(n::text), '') FROM generate_series(1, 1000) n), 0
"""

# By position, not by time: clocks can go back, positions cannot.
_OF = f"""
    SELECT {COLUMNS} FROM memory_history WHERE tenant = $1 AND memory_id = $2 ORDER BY position
"""  # noqa: S608 - a constant


_OF_MANY = f"""
    SELECT {COLUMNS} FROM memory_history WHERE tenant = $1 AND memory_id = ANY($2::text[])
    ORDER BY position
"""  # noqa: S608 - a constant


class PostgresHistory:
    """A `HistoryLog` in a database that several processes share."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def refused(self) -> int:
        return self._database.writes.refused

    async def ping(self) -> None:
        await self._database.ping(_PROBE)

    async def append(self, records: Sequence[HistoryRecord]) -> None:
        if records:
            await self._database.fetch(_APPEND, *columns_of(records))
        if memories := repeated(records):
            tenants, ids = zip(*sorted(memories), strict=True)
            await self._database.fetch(_TRIM, list(tenants), [escaped(each) for each in ids])

    async def of(self, tenant: str, memory_id: str) -> list[HistoryRecord]:
        rows = await self._database.fetch(_OF, tenant, escaped(memory_id))
        return [record_from(row) for row in rows]

    async def of_many(
        self, tenant: str, memory_ids: Sequence[str]
    ) -> dict[str, list[HistoryRecord]]:
        rows = await self._database.fetch(_OF_MANY, tenant, [escaped(each) for each in memory_ids])
        return by_memory(record_from(row) for row in rows)

    async def erase(self, tenant: str, memory_ids: Sequence[str]) -> int:
        where = "tenant = $1 AND memory_id = ANY($2::text[])"
        return await self._remove(where, tenant, [escaped(memory_id) for memory_id in memory_ids])

    async def erase_scope(self, scope: Scope) -> int:
        values = named(scope)
        where = " AND ".join(f"{column} = ${number}" for number, column in enumerate(values, 1))
        return await self._remove(where, *values.values())

    async def reset(self, tenant: str) -> None:
        await self._remove("tenant = $1", tenant)

    async def close(self) -> None:
        await self._database.close()

    async def _remove(self, where: str, *values: object) -> int:
        [row] = await self._database.fetch(
            f"WITH gone AS (DELETE FROM memory_history WHERE {where} RETURNING 1) "  # noqa: S608 - columns are ours, values are bound
            "SELECT count(*) FROM gone",
            *values,
        )
        return int(row[0])
