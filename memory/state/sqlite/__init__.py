"""State in SQLite: in files, or in memory."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from ...database.attachments import SqlAttachments
from ...database.blocks import SqlBlocks
from ...database.costs import SqlLedger
from ...database.forgetting import SqlOffers, SqlTombstones
from ...database.history import SqlHistory
from ...database.runs import SqlRuns
from ...database.standings import SqlStandings
from ...database.sums import SqlDailySums
from ...database.switches import SqlSwitches
from ...database.tasks import SqlTasks
from ...util.locks import Ownership
from ...util.mesh import Mesh
from .. import State
from ..siblings import SiblingLocks, SiblingPeers
from .connect import Synchronous
from .conversations import SqliteConversations
from .database import Database
from .graph import in_memory_graph, open_sqlite_graph
from .in_memory import InMemoryDatabase
from .jobs import SqliteJobs
from .schema import GRAPH_TABLES, HISTORY_TABLES, STATE_TABLES
from .scripts import SqliteScripts
from .usage import SqliteUsage

__all__ = [
    "GRAPH_TABLES",
    "HISTORY_TABLES",
    "STATE_TABLES",
    "Database",
    "Ownership",
    "SqliteState",
    "history_of",
    "in_memory_graph",
    "in_memory_history",
    "in_memory_state",
    "open_sqlite_graph",
    "open_sqlite_state",
    "state_of",
]


@dataclass(frozen=True, slots=True)
class SqliteState(State):
    """All state in one file."""

    jobs: SqliteJobs
    database: Database = field(kw_only=True)

    @property
    def refused(self) -> int:
        return self.database.writes.refused

    async def ping(self) -> None:
        await self.jobs.counts()
        await self.database.ping()

    def look(self) -> None:
        self.database.look()

    async def close(self) -> None:
        await self.database.close()


async def open_sqlite_state(
    path: Path, synchronous: Synchronous, mesh: Mesh | None = None
) -> SqliteState:
    """Open or create the file; with `mesh`, for one of the processes that share it.

    Jobs that a dead process left leased become ready: all of them, unless another process uses the
    file, and those of a sibling's predecessor.

    Raises:
        StateDamagedError: the file is damaged and was not changed.
        StateError: the file cannot be opened.
    """
    database = await Database.open(path, STATE_TABLES, synchronous=synchronous)
    if mesh is not None:
        state = state_of(database, holder=f"{mesh.sibling.number}:")
        await state.jobs.take_back()
        return replace(state, peers=SiblingPeers(mesh), locks=SiblingLocks(mesh.sibling.folder))
    ownership = Ownership.claim(path)
    database.on_close(ownership.release)
    state = state_of(database)
    if ownership.sole:
        await state.jobs.take_back()
    return state


def in_memory_state() -> SqliteState:
    """New, empty state that lives as long as the object."""
    return state_of(InMemoryDatabase(STATE_TABLES))


def in_memory_history() -> SqlHistory:
    """A new, empty history that lives as long as the object."""
    return history_of(InMemoryDatabase(HISTORY_TABLES))


def history_of(database: Database) -> SqlHistory:
    """The history in a database of `HISTORY_TABLES`."""
    return SqlHistory(SqliteScripts(database))


def state_of(database: Database, *, holder: str = "") -> SqliteState:
    """All parts of the state over one database; `holder` marks the leases of its jobs."""
    scripts = SqliteScripts(database)
    return SqliteState(
        SqliteConversations(database),
        SqliteJobs(database, holder),
        SqlTombstones(scripts),
        SqlLedger(scripts),
        SqliteUsage(database),
        SqlStandings(scripts),
        SqlOffers(scripts),
        SqlSwitches(scripts),
        SqlDailySums(scripts),
        SqlAttachments(scripts),
        SqlBlocks(scripts),
        SqlRuns(scripts),
        SqlTasks(scripts),
        database=database,
    )
