"""Durable state in SQLite files."""

from dataclasses import dataclass, field
from pathlib import Path

from ...util.locks import Ownership
from .. import State
from .connect import Synchronous
from .conversations import SqliteConversations
from .database import Database
from .history import SqliteHistory
from .jobs import SqliteJobs
from .ledger import SqliteLedger
from .offers import SqliteOffers
from .schema import HISTORY_MIGRATIONS, STATE_MIGRATIONS
from .standings import SqliteStandings
from .tombstones import SqliteTombstones
from .usage import SqliteUsage

__all__ = [
    "HISTORY_MIGRATIONS",
    "STATE_MIGRATIONS",
    "Database",
    "Ownership",
    "SqliteHistory",
    "SqliteState",
    "open_sqlite_state",
]


@dataclass(frozen=True, slots=True)
class SqliteState(State):
    """All state in one file."""

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


async def open_sqlite_state(path: Path, synchronous: Synchronous) -> SqliteState:
    """Open or create the file.

    Jobs that a dead process left leased become ready, unless another process uses the file.

    Raises:
        StateDamagedError: the file is damaged and was not changed.
        StateError: the file cannot be opened.
    """
    database = await Database.open(path, STATE_MIGRATIONS, synchronous=synchronous)
    jobs = SqliteJobs(database)
    ownership = Ownership.claim(path)
    database.on_close(ownership.release)
    if ownership.sole:
        await jobs.take_back()
    return SqliteState(
        SqliteConversations(database),
        jobs,
        SqliteTombstones(database),
        SqliteLedger(database),
        SqliteUsage(database),
        SqliteStandings(database),
        SqliteOffers(database),
        database=database,
    )
