"""State and history in memory for tests, thousands of which begin with an empty one."""

from __future__ import annotations

import atexit
import sqlite3
from collections import defaultdict
from collections.abc import Callable

from recollect.memory.database.conversations import SqlConversations
from recollect.memory.database.costs import SqlLedger
from recollect.memory.database.forgetting import SqlTombstones
from recollect.memory.database.history import SqlHistory
from recollect.memory.database.jobs import SqlJobs
from recollect.memory.database.runs import SqlRuns
from recollect.memory.database.standings import SqlStandings
from recollect.memory.state.graph import SqlGraph
from recollect.memory.state.sql import SqlState, state_of
from recollect.memory.state.sqlite import GRAPH_TABLES, HISTORY_TABLES, STATE_TABLES
from recollect.memory.state.sqlite.in_memory import InMemoryDatabase
from recollect.memory.state.sqlite.scripts import SqliteScripts

_free: defaultdict[str, list[sqlite3.Connection]] = defaultdict(list)


class RecycledDatabase(InMemoryDatabase):
    """One whose connection is used again: each use is a transaction that is rolled back.

    So SQLite reads the schema and compiles the statements once, not once for each test.
    """

    @staticmethod
    def _connect(tables: str) -> tuple[sqlite3.Connection, Callable[[], None]]:
        free = _free[tables]
        connection = free.pop() if free else InMemoryDatabase._connect(tables)[0]
        connection.execute("BEGIN")

        def release() -> None:
            connection.execute("ROLLBACK")
            free.append(connection)

        return connection, release


@atexit.register
def _close_all() -> None:
    for connections in _free.values():
        for connection in connections:
            connection.close()


EVERYTHING = STATE_TABLES


def in_memory_state() -> SqlState:
    """New, empty state."""
    return state_of(_scripts())


def in_memory_history() -> SqlHistory:
    """A new, empty history."""
    return InMemoryHistory()


def in_memory_graph() -> SqlGraph:
    """A new, empty graph."""
    return SqlGraph(SqliteScripts(RecycledDatabase(GRAPH_TABLES)))


def _scripts() -> SqliteScripts:
    return SqliteScripts(RecycledDatabase(EVERYTHING))


class InMemoryConversations(SqlConversations):
    def __init__(self) -> None:
        super().__init__(_scripts())


class InMemoryJobs(SqlJobs):
    def __init__(self) -> None:
        super().__init__(_scripts())


class InMemoryTombstones(SqlTombstones):
    def __init__(self) -> None:
        super().__init__(_scripts())


class InMemoryLedger(SqlLedger):
    def __init__(self) -> None:
        super().__init__(_scripts())


class InMemoryStandings(SqlStandings):
    def __init__(self) -> None:
        super().__init__(_scripts())


class InMemoryRuns(SqlRuns):
    def __init__(self) -> None:
        super().__init__(_scripts())


class InMemoryHistory(SqlHistory):
    def __init__(self) -> None:
        super().__init__(SqliteScripts(RecycledDatabase(HISTORY_TABLES)))
