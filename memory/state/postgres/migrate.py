"""Migrating the tables while other replicas may do the same."""

from __future__ import annotations

from typing import Any

from ...model.errors import StateError

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

VERSION_TABLE = "recollect_schema"
"""Holds one row: the number of migrations that were run."""

LOCK = 0x5245434F4C4C
"""The advisory lock for migrations ("RECOLL"): several replicas may start at once."""


MIGRATION_SECONDS = 300.0
"""Time limit for one migration, and for waiting until another replica has finished."""


async def migrate(connection: Any, shown: str) -> None:
    """Run the missing migrations in one transaction, one replica at a time.

    Raises:
        StateError: the tables have a newer version than ours. `shown` names the database in it.
        asyncpg.PostgresError: the server refused.
    """
    async with connection.transaction():
        limit = int(MIGRATION_SECONDS * 1000)
        await connection.execute(f"SET LOCAL statement_timeout = {limit}")
        await connection.fetch(f"SELECT pg_advisory_xact_lock({LOCK})", timeout=MIGRATION_SECONDS)
        version = await _version(connection)
        if version > len(MIGRATIONS):
            raise StateError(
                f"{shown} was written by a newer version of Recollect (schema {version}, "
                f"this one knows {len(MIGRATIONS)}): upgrade Recollect or use another database"
            )
        if version < len(MIGRATIONS):
            for script in MIGRATIONS[version:]:
                await connection.execute(script, timeout=MIGRATION_SECONDS)
            await connection.execute(f"UPDATE {VERSION_TABLE} SET version = {len(MIGRATIONS)}")  # noqa: S608 - constants


async def _version(connection: Any) -> int:
    # Checked first, so that a role without the right to create tables can use existing ones.
    if await connection.fetchval("SELECT to_regclass($1)", VERSION_TABLE) is None:
        await connection.execute(
            f"CREATE TABLE {VERSION_TABLE} (version INTEGER NOT NULL);"  # noqa: S608 - constants
            f"INSERT INTO {VERSION_TABLE} VALUES (0)"
        )
    return int(await connection.fetchval(f"SELECT version FROM {VERSION_TABLE}"))  # noqa: S608 - a constant
