"""The tables. A change is a new entry at the end of its list, never an edit of an old one."""

STATE_MIGRATIONS = (
    """
    CREATE TABLE turns (
        id TEXT NOT NULL UNIQUE,
        conversation_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        tenant TEXT NOT NULL, user_id TEXT, agent_id TEXT, run_id TEXT,
        user_text TEXT NOT NULL,
        assistant_text TEXT NOT NULL,
        model TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        learned INTEGER NOT NULL DEFAULT 0,
        UNIQUE (conversation_id, seq)
    );
    CREATE INDEX turns_unlearned ON turns (conversation_id, seq) WHERE NOT learned;

    CREATE TABLE jobs (
        id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL, user_id TEXT, agent_id TEXT, run_id TEXT,
        partition TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        upto_seq INTEGER NOT NULL,
        reason TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'leased', 'done', 'dead')),
        attempts INTEGER NOT NULL DEFAULT 0,
        not_before INTEGER NOT NULL DEFAULT 0,
        lease TEXT,
        lease_until INTEGER NOT NULL DEFAULT 0,
        checkpoint TEXT,
        error TEXT,
        queued_order INTEGER NOT NULL
    );
    CREATE INDEX jobs_open ON jobs (queued_order) WHERE state IN ('ready', 'leased');
    CREATE INDEX jobs_open_by_partition ON jobs (partition, queued_order)
        WHERE state IN ('ready', 'leased')
    """,
)

HISTORY_MIGRATIONS = (
    """
    CREATE TABLE memory_history (
        id TEXT NOT NULL,
        tenant TEXT NOT NULL,
        memory_id TEXT NOT NULL,
        event TEXT NOT NULL,
        old_value TEXT,
        new_value TEXT,
        timestamp INTEGER NOT NULL,
        is_deleted INTEGER NOT NULL DEFAULT 0,
        user_id TEXT, agent_id TEXT, run_id TEXT,
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        UNIQUE (tenant, id)
    );
    CREATE INDEX memory_history_of ON memory_history (tenant, memory_id, position)
    """,
)
