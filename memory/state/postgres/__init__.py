"""State, history and graph in PostgreSQL: shared by several proxies and workers."""

from ...database.history import SqlHistory
from ..graph import SqlGraph
from ..sql import SqlState, state_of
from .database import Database
from .scripts import PostgresScripts
from .tables import GRAPH_SCHEMA, STATE_SCHEMA

__all__ = ["open_postgres_graph", "open_postgres_history", "open_postgres_state"]


MAX_CONNECTIONS = 4
"""Of one process: a statement takes milliseconds, and learning waits for none."""
CALL_SECONDS = 10.0
"""Time limit for connecting and for each statement."""
# As large as what a memory says can be: a smaller row may fit into a page of a full disk.
_STATE_PROBE = """
    INSERT INTO offers (tenant, name, text, until)
    SELECT '', 'probe', string_agg(md5(n::text), ''), 0 FROM generate_series(1, 1000) n
"""
_HISTORY_PROBE = """
    INSERT INTO memory_history (id, tenant, memory_id, event, new_value, timestamp)
    SELECT 'probe', '', 'probe', 'ADD',
           (SELECT string_agg(md5(n::text), '') FROM generate_series(1, 1000) n), 0
"""
_GRAPH_PROBE = """
    INSERT INTO graph_notes (name, value)
    SELECT 'probe', string_agg(md5(n::text), '') FROM generate_series(1, 1000) n
"""


async def open_postgres_state(
    url: str, *, max_connections: int = MAX_CONNECTIONS, timeout_seconds: float = CALL_SECONDS
) -> SqlState:
    """Open the state, which several proxies and workers may use at the same time.

    An unreachable server is no error here, as for the history.

    Raises:
        StateError: the server refuses us.
        FormatError: its tables are of another format.
    """
    database = await Database.open(
        url,
        max_connections=max_connections,
        timeout_seconds=timeout_seconds,
        schema=STATE_SCHEMA,
    )
    return state_of(PostgresScripts(database, _STATE_PROBE))


async def open_postgres_history(
    url: str, *, max_connections: int = MAX_CONNECTIONS, timeout_seconds: float = CALL_SECONDS
) -> SqlHistory:
    """Open the database, and make its tables if they are missing.

    An unreachable server is no error here: history is retried, everything else goes on.

    Raises:
        StateError: the server refuses us.
        FormatError: its tables are of another format.
    """
    database = await Database.open(
        url, max_connections=max_connections, timeout_seconds=timeout_seconds
    )
    return SqlHistory(PostgresScripts(database, _HISTORY_PROBE))


async def open_postgres_graph(
    url: str, *, max_connections: int = MAX_CONNECTIONS, timeout_seconds: float = CALL_SECONDS
) -> SqlGraph:
    """Open the graph in the same database; its tables have a format of their own.

    An unreachable server is no error here, as for the history.

    Raises:
        StateError: the server refuses us.
        FormatError: the tables are of another format.
    """
    database = await Database.open(
        url,
        max_connections=max_connections,
        timeout_seconds=timeout_seconds,
        schema=GRAPH_SCHEMA,
    )
    return SqlGraph(PostgresScripts(database, _GRAPH_PROBE))
