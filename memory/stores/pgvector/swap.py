"""A table, and beside it its replacement."""

from __future__ import annotations

from typing import Any

from ...model.errors import StoreError
from ...model.ports import Analyzer
from .database import Tables
from .schema import NEXT_SUFFIX
from .store import PgvectorStore


class PgvectorSwap:
    """A `StoreSwap`."""

    def __init__(self, tables: Tables, source: PgvectorStore, target: PgvectorStore) -> None:
        self._tables = tables
        self.source = source
        self.target = target

    @classmethod
    async def open(
        cls,
        tables: Tables,
        held: tuple[str, int] | None,
        *,
        embedder_id: str,
        dim: int,
        terms: Analyzer | None,
    ) -> PgvectorSwap:
        """Make the target, or go on with the one of an interrupted run. See `open_for_reindex`."""
        if held is None:
            raise StoreError(f"there is no table {tables.table}: nothing to reindex")
        beside = tables.beside(tables.table + NEXT_SUFFIX)
        if await beside.identity() != (embedder_id, dim):
            await beside.transact(lambda one: _drop(one, beside.table))
            await beside.make(embedder_id, dim)
        source = PgvectorStore(tables, dim=held[1])
        return cls(tables, source, PgvectorStore(beside, dim=dim, terms=terms))

    async def finish(self) -> None:
        there, wanted = await self.target.count_all(), await self.source.count_all()
        if there < wanted:
            raise StoreError(f"only {there} of {wanted} memories were reindexed: nothing changed")
        await self._tables.transact(self._replace)

    async def close(self) -> None:
        """Release the connections, which both share."""
        await self._tables.close()

    async def _replace(self, connection: Any) -> None:
        old, new = self._tables.table, self._tables.table + NEXT_SUFFIX
        if await connection.fetchval("SELECT to_regclass($1::text)", new) is None:
            return  # the commit was done, and its answer lost
        await _drop(connection, old)
        await connection.execute(f"ALTER TABLE {new} RENAME TO {old}")


async def _drop(connection: Any, table: str) -> None:
    await connection.execute(f"DROP TABLE IF EXISTS {table}")
