"""Makes the tables while other replicas may do the same, and refuses those of another format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...database.tables import GRAPH_TABLES, HISTORY_TABLES, STATE_TABLES, tables_for_postgres
from ...model.format import FORMAT, NONE, refuse_other


@dataclass(frozen=True, slots=True)
class Schema:
    """Tables that are made together."""

    tables: str
    one: str
    """One of them: where it is, they all are."""
    format_table: str
    """Holds one row: their format."""


HISTORY_SCHEMA = Schema(
    tables_for_postgres(HISTORY_TABLES), "memory_history", "recollect_history_format"
)
STATE_SCHEMA = Schema(tables_for_postgres(STATE_TABLES), "turns", "recollect_state_format")
GRAPH_SCHEMA = Schema(tables_for_postgres(GRAPH_TABLES), "graph_entities", "recollect_graph_format")

LOCK = 0x5245434F4C4C
"""The advisory lock for making tables ("RECOLL"): several replicas may start at once."""


MAKING_SECONDS = 300.0
"""Time limit for making tables, and for waiting until another replica has finished."""


async def make(connection: Any, shown: str, schema: Schema = HISTORY_SCHEMA) -> None:
    """Make the tables if they are missing, in one transaction, one replica at a time.

    Raises:
        FormatError: they are of another format. `shown` names the database in it.
        asyncpg.PostgresError: the server refused.
    """
    async with connection.transaction():
        await alone(connection)
        found = await _format(connection, schema)
        if found is not None:
            refuse_other(shown, found)
            return
        table = schema.format_table
        await connection.execute(schema.tables, timeout=MAKING_SECONDS)
        await connection.execute(
            f"CREATE TABLE {table} (format INTEGER NOT NULL);"  # noqa: S608 - constants
            f"INSERT INTO {table} VALUES ({FORMAT})"
        )


async def alone(connection: Any) -> None:
    """Let no other replica make tables until the end of the transaction."""
    await connection.execute(f"SET LOCAL statement_timeout = {int(MAKING_SECONDS * 1000)}")
    await connection.fetch(f"SELECT pg_advisory_xact_lock({LOCK})", timeout=MAKING_SECONDS)


async def _format(connection: Any, schema: Schema) -> int | None:
    """The format of the tables; None if there are none."""
    # Looked for first, so that a role without the right to create tables can use existing ones.
    if await connection.fetchval("SELECT to_regclass($1)", schema.format_table) is not None:
        return int(await connection.fetchval(f"SELECT format FROM {schema.format_table}"))  # noqa: S608 - constants
    there = await connection.fetchval("SELECT to_regclass($1)", schema.one)
    return None if there is None else NONE
