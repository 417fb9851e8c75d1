"""Databases with the tables of the memories."""

from __future__ import annotations

from recollect.memory.database.postgres import PostgresScripts, open_postgres
from recollect.memory.database.sqlite import TABLES, SqliteScripts
from recollect.memory.database.sqlite.database import Database
from tests.support.state import in_memory_scripts

in_memory = in_memory_scripts


async def in_file(folder, *, reader: bool = True) -> SqliteScripts:
    """A database in a file, as the product opens it."""
    database = await Database.open(folder / "recollect.db", TABLES)
    return SqliteScripts(database, reader=reader)


async def at(url: str) -> PostgresScripts:
    """The same in PostgreSQL."""
    return await open_postgres(url, max_connections=4)
