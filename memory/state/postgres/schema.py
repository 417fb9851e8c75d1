"""The tables: those of SQLite, with PostgreSQL's types.

To change them, append a migration; never edit an old one. Times are milliseconds since the epoch.
"""

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
