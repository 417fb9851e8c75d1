"""Conversations, jobs and history in SQLite files: the embedded state."""

from .conversations import SqliteConversations
from .database import Database
from .history import SqliteHistory
from .jobs import SqliteJobs
from .schema import HISTORY_MIGRATIONS, STATE_MIGRATIONS

__all__ = [
    "HISTORY_MIGRATIONS",
    "STATE_MIGRATIONS",
    "Database",
    "SqliteConversations",
    "SqliteHistory",
    "SqliteJobs",
]
