"""Databases with the tables of the memories."""

from __future__ import annotations

from recollect.memory.database.postgres.database import Database as PostgresDatabase
from recollect.memory.database.postgres.scripts import PostgresScripts
from recollect.memory.database.postgres.tables import Schema
from recollect.memory.database.sqlite.database import Database
from recollect.memory.database.sqlite.scripts import SqliteScripts
from recollect.memory.database.tables import MEMORY_TABLES, tables_for_postgres
from tests.support.state import RecycledDatabase

SCHEMA = Schema(tables_for_postgres(MEMORY_TABLES), "memories", "recollect_memories_format")
_PROBE = "INSERT INTO notes VALUES ('probe', '')"


def in_memory() -> SqliteScripts:
    """An empty database in this process."""
    return SqliteScripts(RecycledDatabase(MEMORY_TABLES))


async def in_file(folder, *, reader: bool = True) -> SqliteScripts:
    """A database in a file, as the product opens it."""
    database = await Database.open(folder / "memories.db", MEMORY_TABLES)
    return SqliteScripts(database, escapes=True, reader=reader)


async def at(url: str) -> PostgresScripts:
    """The same in PostgreSQL."""
    database = await PostgresDatabase.open(
        url, max_connections=4, timeout_seconds=10, schema=SCHEMA
    )
    return PostgresScripts(database, _PROBE)
