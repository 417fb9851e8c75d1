"""Opens the graph's file. A damaged one prevents nothing: it is set aside."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from pathlib import Path

from ...model.errors import StateDamagedError, StateError
from ...util.locks import Ownership
from ..graph import SqlGraph
from .database import BESIDE, Database
from .in_memory import InMemoryDatabase
from .repair import repair
from .schema import GRAPH_TABLES
from .scripts import SqliteScripts

log = logging.getLogger(__name__)

NOTES = frozenset({"graph_notes"})
"""Not saved from a damaged file, nor in a backup: without notes the graph is read from the memories
again, whatever became of them since."""


async def open_sqlite_graph(path: Path) -> SqlGraph:
    """Open or create the file.

    What can be read of a damaged one is put into a new one: the merges, which the memories do not
    tell. The damaged one is kept beside it.

    Raises:
        StateDamagedError: the file is damaged and another process uses it; it was not changed.
        StateError: the file cannot be opened.
    """
    try:
        graph = await _opened(path)
    except StateDamagedError as error:
        await asyncio.to_thread(_set_aside, path, error)
        graph = await _opened(path)
    return graph


def forget_notes(copy: Path) -> None:
    """Make whoever opens this copy of a graph's file read the memories again.

    Those that are copied with it may have changed between the two.

    Raises:
        StateError: it cannot be written.
    """
    try:
        with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
            for table in NOTES:
                connection.execute(f"DELETE FROM {table}")  # noqa: S608 - constants
    except sqlite3.Error as error:
        raise StateError(f"cannot write {copy}: {error}") from error


def remove(path: Path) -> None:
    """Remove the file and what SQLite keeps beside it; one that is in use stays, with a warning."""
    try:
        owner = Ownership.claim(path)
    except OSError as error:
        log.warning("graph.enabled is false, and %s cannot be removed: %s", path, error)
        return
    try:
        if not owner.sole:
            log.warning("graph.enabled is false, and another process uses %s: it stays", path)
            return
        for end in (*BESIDE, ".lock"):
            path.with_name(f"{path.name}{end}").unlink(missing_ok=True)
    except OSError as error:
        log.warning("graph.enabled is false, and %s cannot be removed: %s", path, error)
    else:
        log.warning("graph.enabled is false: %s was removed, with who was merged", path)
    finally:
        owner.release()


def in_memory_graph() -> SqlGraph:
    """A new, empty graph that lives as long as the object."""
    return SqlGraph(SqliteScripts(InMemoryDatabase(GRAPH_TABLES)))


async def _opened(path: Path) -> SqlGraph:
    database = await Database.open(path, GRAPH_TABLES)
    database.on_close(Ownership.claim(path).release)
    graph = SqlGraph(SqliteScripts(database, reader=True))
    try:
        await graph.mend()
    except BaseException:
        await graph.close()
        raise
    return graph


def _set_aside(path: Path, damage: StateDamagedError) -> None:
    try:
        done = repair(path, GRAPH_TABLES, without=NOTES)
    except StateError as error:
        log.warning("%s was left as it is: %s", path.name, error)
        raise damage from error
    log.error(
        "%s was damaged and is kept as %s; what could be read of it is in a new file, and all but "
        "the merges is read from the memories again",
        path,
        done.kept.name,
    )
