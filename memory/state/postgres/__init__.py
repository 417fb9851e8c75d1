"""History in PostgreSQL: shared by several proxies and workers."""

from .database import Database
from .history import PostgresHistory

__all__ = ["open_postgres_history"]


MAX_CONNECTIONS = 4
"""Of one process: a statement takes milliseconds, and learning waits for none."""
CALL_SECONDS = 10.0
"""Time limit for connecting and for each statement."""


async def open_postgres_history(
    url: str, *, max_connections: int = MAX_CONNECTIONS, timeout_seconds: float = CALL_SECONDS
) -> PostgresHistory:
    """Open the database and migrate its tables.

    An unreachable server is no error here: history is retried, everything else goes on.

    Raises:
        StateError: the server refuses us, or its tables have a newer version than ours.
    """
    database = await Database.open(
        url, max_connections=max_connections, timeout_seconds=timeout_seconds
    )
    return PostgresHistory(database)
