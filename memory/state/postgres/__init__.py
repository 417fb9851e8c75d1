"""History in PostgreSQL: shared by several proxies and workers."""

from .database import Database
from .history import PostgresHistory

__all__ = ["open_postgres_history"]


async def open_postgres_history(
    url: str, *, max_connections: int, timeout_seconds: float
) -> PostgresHistory:
    """Open the database and bring its tables up to date.

    A server that is not there now is no error here: nothing but history waits for it.

    Raises:
        StateError: the server refuses us, or its tables are of a newer version than ours.
    """
    database = await Database.open(
        url, max_connections=max_connections, timeout_seconds=timeout_seconds
    )
    return PostgresHistory(database)
