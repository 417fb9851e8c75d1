"""State in SQLite: in files, or in memory."""

from dataclasses import replace
from pathlib import Path

from ...database.history import SqlHistory
from ...util.locks import Ownership
from ...util.mesh import Mesh
from ..siblings import SiblingLocks, SiblingPeers
from ..sql import SqlState, state_of
from .connect import Synchronous
from .database import Database
from .graph import in_memory_graph, open_sqlite_graph
from .in_memory import InMemoryDatabase
from .schema import GRAPH_TABLES, HISTORY_TABLES, STATE_TABLES
from .scripts import SqliteScripts

__all__ = [
    "GRAPH_TABLES",
    "HISTORY_TABLES",
    "STATE_TABLES",
    "Database",
    "Ownership",
    "history_of",
    "in_memory_graph",
    "in_memory_history",
    "in_memory_state",
    "open_sqlite_graph",
    "open_sqlite_state",
]


async def open_sqlite_state(
    path: Path, synchronous: Synchronous, mesh: Mesh | None = None
) -> SqlState:
    """Open or create the file; with `mesh`, for one of the processes that share it.

    Jobs that a dead process left leased become ready: all of them, unless another process uses the
    file, and those of a sibling's predecessor.

    Raises:
        StateDamagedError: the file is damaged and was not changed.
        StateError: the file cannot be opened.
    """
    database = await Database.open(path, STATE_TABLES, synchronous=synchronous)
    scripts = SqliteScripts(database)
    if mesh is not None:
        state = state_of(scripts, holder=f"{mesh.sibling.number}:")
        await state.jobs.take_back()
        return replace(state, peers=SiblingPeers(mesh), locks=SiblingLocks(mesh.sibling.folder))
    ownership = Ownership.claim(path)
    database.on_close(ownership.release)
    state = state_of(scripts)
    if ownership.sole:
        await state.jobs.take_back()
    return state


def in_memory_state() -> SqlState:
    """New, empty state that lives as long as the object."""
    return state_of(SqliteScripts(InMemoryDatabase(STATE_TABLES)))


def in_memory_history() -> SqlHistory:
    """A new, empty history that lives as long as the object."""
    return history_of(InMemoryDatabase(HISTORY_TABLES))


def history_of(database: Database) -> SqlHistory:
    """The history in a database of `HISTORY_TABLES`."""
    return SqlHistory(SqliteScripts(database))
