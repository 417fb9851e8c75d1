"""History in PostgreSQL: shared by several proxies and workers."""

from .database import Database
from .history import PostgresHistory

__all__ = ["open_postgres_history"]


async def open_postgres_history(
    url: str, *, max_connections: int, timeout_seconds: float
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
