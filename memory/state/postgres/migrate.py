"""Migrating the tables while other replicas may do the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...model.errors import StateError
from .graph_schema import GRAPH_MIGRATIONS

MIGRATIONS = (
    """
    CREATE TABLE memory_history (
        id TEXT NOT NULL,
        tenant TEXT NOT NULL,
        memory_id TEXT NOT NULL,
        event TEXT NOT NULL,
        old_value TEXT,
        new_value TEXT,
        timestamp BIGINT NOT NULL,
        is_deleted BOOLEAN NOT NULL DEFAULT FALSE,
        user_id TEXT, agent_id TEXT, run_id TEXT,
        position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        valid_at BIGINT,
        stage TEXT NOT NULL DEFAULT '',
        reason TEXT NOT NULL DEFAULT '',
        scores JSON,
        UNIQUE (tenant, id)
    );
    CREATE INDEX memory_history_of ON memory_history (tenant, memory_id, position);
    CREATE INDEX memory_history_whose ON memory_history (tenant, user_id)
    """,
    """
    ALTER TABLE memory_history ADD COLUMN trust TEXT;
    """,
)


@dataclass(frozen=True, slots=True)
class Schema:
    """Tables that are brought up to date together."""

    migrations: tuple[str, ...]
    version_table: str
    """Holds one row: the number of migrations that were run."""


HISTORY_SCHEMA = Schema(MIGRATIONS, "recollect_schema")
GRAPH_SCHEMA = Schema(GRAPH_MIGRATIONS, "recollect_graph_schema")

LOCK = 0x5245434F4C4C
"""The advisory lock for migrations ("RECOLL"): several replicas may start at once."""


MIGRATION_SECONDS = 300.0
"""Time limit for one migration, and for waiting until another replica has finished."""


async def migrate(connection: Any, shown: str, schema: Schema = HISTORY_SCHEMA) -> None:
    """Run the missing migrations in one transaction, one replica at a time.

    Raises:
        StateError: the tables have a newer version than ours. `shown` names the database in it.
        asyncpg.PostgresError: the server refused.
    """
    async with connection.transaction():
        limit = int(MIGRATION_SECONDS * 1000)
        await connection.execute(f"SET LOCAL statement_timeout = {limit}")
        await connection.fetch(f"SELECT pg_advisory_xact_lock({LOCK})", timeout=MIGRATION_SECONDS)
        version, known = await _version(connection, schema.version_table), len(schema.migrations)
        if version > known:
            raise StateError(
                f"{shown} was written by a newer version of Recollect (schema {version}, "
                f"this one knows {known}): upgrade Recollect or use another database"
            )
        if version < known:
            for script in schema.migrations[version:]:
                await connection.execute(script, timeout=MIGRATION_SECONDS)
            await connection.execute(f"UPDATE {schema.version_table} SET version = {known}")  # noqa: S608 - constants


async def _version(connection: Any, table: str) -> int:
    # Checked first, so that a role without the right to create tables can use existing ones.
    if await connection.fetchval("SELECT to_regclass($1)", table) is None:
        await connection.execute(
            f"CREATE TABLE {table} (version INTEGER NOT NULL);"  # noqa: S608 - constants
            f"INSERT INTO {table} VALUES (0)"
        )
    return int(await connection.fetchval(f"SELECT version FROM {table}"))  # noqa: S608 - constants
