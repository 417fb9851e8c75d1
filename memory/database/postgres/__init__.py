"""The database in PostgreSQL: shared by several proxies and workers."""

from .database import Database
from .scripts import PostgresScripts

__all__ = ["PostgresScripts", "open_postgres"]

MAX_CONNECTIONS = 8
"""Of one process: a statement takes milliseconds, and most of what waits is learned later."""
CALL_SECONDS = 10.0
"""Time limit for connecting and for each statement."""
# As large as what a memory says can be: a smaller row may fit into a page of a full disk.
_PROBE = """
    INSERT INTO offers (tenant, name, text, until)
    SELECT '', 'probe', string_agg(md5(n::text), ''), 0 FROM generate_series(1, 1000) n
"""


async def open_postgres(
    url: str,
    *,
    max_connections: int = MAX_CONNECTIONS,
    timeout_seconds: float = CALL_SECONDS,
    is_sealed: bool = False,
) -> PostgresScripts:
    """Open the database, and make its tables if they are missing.

    An unreachable server is no error here: it is tried again by itself.

    Raises:
        StateError: the server refuses us.
        FormatError: its tables are of another format.
        EncryptionError: its texts are sealed, and they are to be read as they are.
    """
    database = await Database.open(
        url,
        max_connections=max_connections,
        timeout_seconds=timeout_seconds,
        is_sealed=is_sealed,
    )
    return PostgresScripts(database, _PROBE)
