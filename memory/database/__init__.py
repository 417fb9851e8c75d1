"""The database: its tables, what runs statements on it, and the ports that it serves."""

from .conversations import SqlConversations
from .jobs import SqlJobs
from .opening import format_noted, open_database
from .options import DatabaseOptions
from .scripts import ScriptRunner
from .unopened_database import unopened

__all__ = [
    "DatabaseOptions",
    "ScriptRunner",
    "SqlConversations",
    "SqlJobs",
    "format_noted",
    "open_database",
    "unopened",
]
