"""The database in SQLite: in a file, or in memory."""

from pathlib import Path

from ...util.locks import Ownership
from .connect import Synchronous
from .database import Database
from .in_memory import InMemoryDatabase
from .schema import TABLES
from .scripts import SqliteScripts

__all__ = ["TABLES", "SqliteScripts", "in_memory", "open_sqlite"]


async def open_sqlite(
    path: Path, synchronous: Synchronous = "normal", *, owned: bool = True
) -> SqliteScripts:
    """Open or create the file.

    Unless it is `owned` somebody else holds its lock: the parent of this process.

    Raises:
        StateDamagedError: the file is damaged and was not changed.
        StateError: the file cannot be opened.
    """
    database = await Database.open(path, TABLES, synchronous=synchronous)
    if not owned:
        return SqliteScripts(database, reader=True)
    ownership = Ownership.claim(path)
    database.on_close(ownership.release)
    return SqliteScripts(database, reader=True, alone=ownership.sole)


def in_memory() -> SqliteScripts:
    """A new, empty database that lives as long as the object."""
    return SqliteScripts(InMemoryDatabase(TABLES))
