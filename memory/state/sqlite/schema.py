"""The tables of the files of state, history and graph, in format 1 (`model.format`)."""

from ...database import tables

STATE_TABLES = f"""
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
        steps TEXT,
        recalled TEXT,
        images TEXT,
        tokens INTEGER NOT NULL DEFAULT 0,
        erased INTEGER NOT NULL DEFAULT 0,
        note TEXT,
        remembered INTEGER NOT NULL DEFAULT 0,
        -- Recalled memories that are not counted yet: lists as JSON, one a line.
        uncounted TEXT,
        response_id TEXT,
        upstream_id TEXT,
        -- What a short message answers or corrects: the user's texts, their turns, the question.
        before TEXT,
        asked TEXT,
        -- The name of the user's time zone.
        zone TEXT,
        UNIQUE (conversation_id, seq)
    );
    CREATE INDEX turns_unlearned ON turns (conversation_id, seq) WHERE NOT learned;
    CREATE INDEX turns_prunable ON turns (created_at) WHERE learned AND NOT erased;
    CREATE INDEX turns_recent ON turns (tenant, user_id, created_at)
        WHERE NOT erased AND NOT remembered;
    -- Conversations are listed by their last turns, whatever became of what was said in them.
    CREATE INDEX turns_listed ON turns (tenant, user_id, created_at) WHERE NOT erased;
    CREATE INDEX turns_uncounted ON turns (seq) WHERE uncounted IS NOT NULL;
    CREATE INDEX turns_response ON turns (response_id) WHERE response_id IS NOT NULL;
    CREATE INDEX turns_upstream ON turns (upstream_id) WHERE upstream_id IS NOT NULL;

    CREATE TABLE jobs (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL DEFAULT 'learn',
        tenant TEXT NOT NULL, user_id TEXT, agent_id TEXT, run_id TEXT,
        partition TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        after_seq INTEGER,
        upto_seq INTEGER NOT NULL,
        reason TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'leased', 'done', 'dead')),
        attempts INTEGER NOT NULL DEFAULT 0,
        not_before INTEGER NOT NULL DEFAULT 0,
        lease TEXT,
        lease_until INTEGER NOT NULL DEFAULT 0,
        checkpoint TEXT,
        error TEXT,
        raw TEXT,
        queued_order INTEGER NOT NULL,
        queued_at INTEGER NOT NULL DEFAULT 0,
        cancelled INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX jobs_open ON jobs (queued_order) WHERE state IN ('ready', 'leased');
    CREATE INDEX jobs_open_by_partition ON jobs (partition, queued_order)
        WHERE state IN ('ready', 'leased');
    CREATE INDEX jobs_in_line ON jobs (queued_order);
    CREATE INDEX jobs_of_tenant ON jobs (tenant, queued_order);

    CREATE TABLE usage (
        tenant TEXT NOT NULL,
        memory_id TEXT NOT NULL,
        recalled INTEGER NOT NULL DEFAULT 0,
        last_recalled INTEGER,
        confirmed INTEGER NOT NULL DEFAULT 0,
        corrected INTEGER NOT NULL DEFAULT 0,
        positive INTEGER NOT NULL DEFAULT 0,
        negative INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (tenant, memory_id)
    ) WITHOUT ROWID;

    -- What was counted, so that it is counted once.
    CREATE TABLE occasions (
        tenant TEXT NOT NULL,
        memory_id TEXT NOT NULL,
        use TEXT NOT NULL,
        occasion TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (tenant, memory_id, use, occasion)
    ) WITHOUT ROWID;
    CREATE INDEX occasions_at ON occasions (at);

    {tables.STATE_TABLES}
    """

HISTORY_TABLES = tables.HISTORY_TABLES

GRAPH_TABLES = f"""
    {tables.GRAPH_TABLES};

    -- How many rows share the first columns of an index, for whoever plans queries: without it a
    -- tenant is taken for a handful of rows, and reading all of them for a good plan.
    ANALYZE;
    DELETE FROM sqlite_stat1;
    INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
        ('graph_entities', 'graph_entities', '100000 50000 1'),
        ('graph_entities', 'graph_entities_root', '100000 50000 2'),
        ('graph_memories', 'graph_memories', '200000 100000 1'),
        ('graph_memories', 'graph_memories_whose', '200000 100000 20000'),
        ('graph_memories', 'graph_memories_latest', '200000 20000 2 1'),
        ('graph_mentions', 'graph_mentions', '500000 250000 3 1'),
        ('graph_mentions', 'graph_mentions_of', '500000 250000 10 2'),
        ('graph_mentions', 'graph_mentions_called', '500000 50000 10 5'),
        ('graph_mentions', 'graph_mentions_whose', '500000 250000 50000'),
        ('graph_relations', 'graph_relations', '100000 50000 2 1'),
        ('graph_relations', 'graph_relations_from', '100000 50000 5'),
        ('graph_relations', 'graph_relations_to', '100000 50000 5'),
        ('graph_merges', 'graph_merges_said', '10000 5000 2'),
        ('graph_merges', 'graph_merges_kept', '10000 5000 2'),
        ('graph_merges', 'graph_merges_gone', '10000 5000 2'),
        ('graph_marks', 'graph_marks_of', '1000 500 2');
    ANALYZE sqlite_schema
    """  # noqa: S608 - a constant
