"""All durable state in SQLite files: the embedded state."""

from dataclasses import dataclass
from pathlib import Path

from .connect import Synchronous
from .conversations import SqliteConversations
from .database import Database
from .history import SqliteHistory
from .jobs import SqliteJobs
from .ledger import SqliteLedger
from .ownership import Ownership
from .schema import HISTORY_MIGRATIONS, STATE_MIGRATIONS
from .tombstones import SqliteTombstones

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
class SqliteState:
    """All state in one file."""

    conversations: SqliteConversations
    jobs: SqliteJobs
    tombstones: SqliteTombstones
    ledger: SqliteLedger
    database: Database

    async def close(self) -> None:
        """Finish what is queued and close the file."""
        await self.conversations.close()


async def open_sqlite_state(path: Path, synchronous: Synchronous) -> SqliteState:
    """Open or create the file.

    Jobs that a dead process left leased are ready again, unless another living one is at work.

    Raises:
        StateDamagedError: the file is damaged; it stays as it is.
        StateError: the file cannot be opened.
    """
    database = await Database.open(path, STATE_MIGRATIONS, synchronous=synchronous)
    state = SqliteState(
        SqliteConversations(database),
        SqliteJobs(database),
        SqliteTombstones(database),
        SqliteLedger(database),
        database,
    )
    ownership = Ownership.claim(path)
    database.on_close(ownership.release)
    if ownership.sole:
        await state.jobs.take_back()
    return state
