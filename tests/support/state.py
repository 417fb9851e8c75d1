"""The database in memory or in a file, for tests, thousands of which begin with an empty one."""

from __future__ import annotations

import atexit
import sqlite3
from collections.abc import Callable
from pathlib import Path

from recollect.memory.database import DatabaseOptions, ScriptRunner, open_database
from recollect.memory.database.conversations import SqlConversations
from recollect.memory.database.costs import SqlLedger
from recollect.memory.database.forgetting import SqlTombstones
from recollect.memory.database.graph import SqlGraph
from recollect.memory.database.history import SqlHistory
from recollect.memory.database.jobs import SqlJobs
from recollect.memory.database.sqlite import TABLES, SqliteScripts, open_sqlite
from recollect.memory.database.sqlite.connect import Synchronous
from recollect.memory.database.sqlite.in_memory import InMemoryDatabase
from recollect.memory.state import State, state_in, state_of

_free: list[sqlite3.Connection] = []


class RecycledDatabase(InMemoryDatabase):
    """One whose connection is used again: each use is a transaction that is rolled back.

    So SQLite reads the schema and compiles the statements once, not once for each test.
    """

    @staticmethod
    def _connect(tables: str) -> tuple[sqlite3.Connection, Callable[[], None]]:
        connection = _free.pop() if _free else InMemoryDatabase._connect(tables)[0]
        connection.execute("BEGIN")

        def release() -> None:
            connection.execute("ROLLBACK")
            _free.append(connection)

        return connection, release


@atexit.register
def _close_all() -> None:
    for connection in _free:
        connection.close()


def in_memory_scripts() -> SqliteScripts:
    """A new, empty database."""
    return SqliteScripts(RecycledDatabase(TABLES))


def in_memory_state() -> State:
    """New, empty state."""
    return state_of(in_memory_scripts())


def in_memory_graph() -> SqlGraph:
    """A new, empty graph."""
    return SqlGraph(in_memory_scripts())


async def database_at(url: object) -> ScriptRunner:
    """The database at an address or in a file."""
    return await open_database(DatabaseOptions.model_validate({"url": url}))


async def opened_state(path: Path, synchronous: Synchronous = "normal") -> State:
    """The state in a file."""
    return await state_in(await open_sqlite(path, synchronous))


class InMemoryConversations(SqlConversations):
    def __init__(self) -> None:
        super().__init__(in_memory_scripts())


class InMemoryJobs(SqlJobs):
    def __init__(self) -> None:
        super().__init__(in_memory_scripts())


class InMemoryTombstones(SqlTombstones):
    def __init__(self) -> None:
        super().__init__(in_memory_scripts())


class InMemoryLedger(SqlLedger):
    def __init__(self) -> None:
        super().__init__(in_memory_scripts())


class InMemoryHistory(SqlHistory):
    def __init__(self) -> None:
        super().__init__(in_memory_scripts())
