"""The tables of the graph, in a file of its own, in format 1 (`model.format`).

Names stand in the mentions alone, so that a name falls with the memory that says it. An entity that
is merged into another has that one's id as its root; any other its own. `created_at` is in
microseconds since 1970.
"""

GRAPH_TABLES = """
    CREATE TABLE graph_entities (
        tenant TEXT NOT NULL,
        id TEXT NOT NULL,
        owner TEXT NOT NULL,
        user_id TEXT, agent_id TEXT, run_id TEXT,
        kind TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        root TEXT NOT NULL,
        PRIMARY KEY (tenant, id)
    ) WITHOUT ROWID;
    CREATE INDEX graph_entities_root ON graph_entities (tenant, root);

    CREATE TABLE graph_memories (
        tenant TEXT NOT NULL,
        memory_id TEXT NOT NULL,
        user_id TEXT, agent_id TEXT, run_id TEXT,
        owner TEXT NOT NULL,
        version INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (tenant, memory_id)
    ) WITHOUT ROWID;
    CREATE INDEX graph_memories_latest ON graph_memories (owner, created_at, memory_id);
    CREATE INDEX graph_memories_whose ON graph_memories (tenant, user_id);

    -- The scope is the memory's; the owner, a digest, that of the entity.
    CREATE TABLE graph_mentions (
        tenant TEXT NOT NULL,
        memory_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        user_id TEXT, agent_id TEXT, run_id TEXT,
        owner TEXT NOT NULL,
        entity_id TEXT NOT NULL,
        surface TEXT NOT NULL,
        key TEXT NOT NULL,
        key_start TEXT NOT NULL,
        PRIMARY KEY (tenant, memory_id, number)
    ) WITHOUT ROWID;
    CREATE INDEX graph_mentions_of ON graph_mentions (tenant, entity_id, memory_id);
    CREATE INDEX graph_mentions_called ON graph_mentions (owner, key_start, entity_id);
    CREATE INDEX graph_mentions_whose ON graph_mentions (tenant, user_id);

    CREATE TABLE graph_relations (
        tenant TEXT NOT NULL,
        memory_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        user_id TEXT, agent_id TEXT, run_id TEXT,
        source TEXT NOT NULL,
        relation TEXT NOT NULL,
        target TEXT NOT NULL,
        quote TEXT NOT NULL,
        PRIMARY KEY (tenant, memory_id, number)
    ) WITHOUT ROWID;
    CREATE INDEX graph_relations_from ON graph_relations (tenant, source);
    CREATE INDEX graph_relations_to ON graph_relations (tenant, target);

    -- The ledger: who is one and the same. All else is read from the memories again.
    CREATE TABLE graph_merges (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        tenant TEXT NOT NULL,
        id TEXT NOT NULL,
        user_id TEXT, agent_id TEXT, run_id TEXT,
        kept TEXT NOT NULL,
        gone TEXT NOT NULL,
        at INTEGER NOT NULL,
        by_whom TEXT NOT NULL,
        memory_id TEXT,
        score REAL,
        undone_at INTEGER,
        UNIQUE (tenant, id)
    );
    CREATE INDEX graph_merges_said ON graph_merges (tenant, memory_id);
    CREATE INDEX graph_merges_kept ON graph_merges (tenant, kept);
    CREATE INDEX graph_merges_gone ON graph_merges (tenant, gone);

    -- Memories that are about to change, or have changed and were not read again.
    CREATE TABLE graph_marks (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        number INTEGER NOT NULL,
        tenant TEXT NOT NULL,
        memory_id TEXT NOT NULL,
        user_id TEXT, agent_id TEXT, run_id TEXT
    );
    CREATE INDEX graph_marks_of ON graph_marks (tenant, memory_id);

    -- By which reader the graph was built, and how far.
    CREATE TABLE graph_notes (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;

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
    """
