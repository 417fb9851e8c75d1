"""Conversations, jobs and history in SQLite files: the embedded state."""

from pathlib import Path

from .conversations import SqliteConversations
from .database import Database, Synchronous
from .history import SqliteHistory
from .jobs import SqliteJobs
from .ownership import Ownership
from .schema import HISTORY_MIGRATIONS, STATE_MIGRATIONS

__all__ = [
    "HISTORY_MIGRATIONS",
    "STATE_MIGRATIONS",
    "Database",
    "SqliteConversations",
    "SqliteHistory",
    "SqliteJobs",
    "open_sqlite_state",
]


async def open_sqlite_state(
    path: Path, synchronous: Synchronous
) -> tuple[SqliteConversations, SqliteJobs, list[Path]]:
    """Open conversations and jobs; the list names a damaged file that was set aside.

    Jobs that a dead process left leased are ready again, unless another living one is at work.

    Raises:
        StateError: the file cannot be opened.
    """
    database = await Database.open(path, STATE_MIGRATIONS, synchronous=synchronous)
    jobs = SqliteJobs(database)
    ownership = Ownership.claim(path)
    database.on_close(ownership.release)
    if ownership.sole:
        await jobs.take_back()
    set_aside = [database.set_aside] if database.set_aside else []
    return SqliteConversations(database), jobs, set_aside
