"""The database in SQLite: in a file, or in memory."""

from pathlib import Path

from ...util.locks import Ownership
from .. import tables
from .connect import Synchronous
from .database import Database
from .in_memory import InMemoryDatabase
from .scripts import SqliteScripts

__all__ = ["TABLES", "SqliteScripts", "in_memory", "open_sqlite"]

TABLES = f"""
    {tables.TABLES};

    -- How many rows share the first columns of an index, for whoever plans queries: without it a
    -- tenant is taken for a handful of rows, and reading all of them for a good plan.
    ANALYZE;
    DELETE FROM sqlite_stat1;
    INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
        ('graph_entities', 'graph_entities', '100000 50000 1'),
        ('graph_entities', 'graph_entities_root', '100000 50000 2'),
        ('graph_mentions', 'graph_mentions', '500000 250000 3 1'),
        ('graph_mentions', 'graph_mentions_of', '500000 250000 10 2'),
        ('graph_mentions', 'graph_mentions_called', '500000 50000 10 5'),
        ('graph_mentions', 'graph_mentions_whose', '500000 250000 50000'),
        ('graph_relations', 'graph_relations', '100000 50000 2 1'),
        ('graph_relations', 'graph_relations_from', '100000 50000 5'),
        ('graph_relations', 'graph_relations_to', '100000 50000 5'),
        ('graph_merges', 'graph_merges_said', '10000 5000 2'),
        ('graph_merges', 'graph_merges_kept', '10000 5000 2'),
        ('graph_merges', 'graph_merges_gone', '10000 5000 2');
    ANALYZE sqlite_schema
    """  # noqa: S608 - a constant


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
