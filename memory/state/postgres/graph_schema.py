"""The tables of the graph in PostgreSQL, as `state.sqlite.graph_schema` has them.

Texts are compared by their bytes, as in SQLite, whatever the database is set to.
"""

GRAPH_TABLES = """
    CREATE TABLE graph_entities (
        tenant TEXT COLLATE "C" NOT NULL,
        id TEXT COLLATE "C" NOT NULL,
        owner TEXT COLLATE "C" NOT NULL,
        user_id TEXT, agent_id TEXT, run_id TEXT,
        kind TEXT COLLATE "C" NOT NULL,
        created_at BIGINT NOT NULL,
        root TEXT COLLATE "C" NOT NULL,
        PRIMARY KEY (tenant, id)
    );
    CREATE INDEX graph_entities_root ON graph_entities (tenant, root);

    CREATE TABLE graph_memories (
        tenant TEXT COLLATE "C" NOT NULL,
        memory_id TEXT COLLATE "C" NOT NULL,
        user_id TEXT, agent_id TEXT, run_id TEXT,
        owner TEXT COLLATE "C" NOT NULL,
        version BIGINT NOT NULL,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (tenant, memory_id)
    );
    CREATE INDEX graph_memories_latest ON graph_memories (owner, created_at, memory_id);
    CREATE INDEX graph_memories_whose ON graph_memories (tenant, user_id);

    -- The scope is the memory's; the owner, a digest, that of the entity.
    CREATE TABLE graph_mentions (
        tenant TEXT COLLATE "C" NOT NULL,
        memory_id TEXT COLLATE "C" NOT NULL,
        number BIGINT NOT NULL,
        user_id TEXT, agent_id TEXT, run_id TEXT,
        owner TEXT COLLATE "C" NOT NULL,
        entity_id TEXT COLLATE "C" NOT NULL,
        surface TEXT COLLATE "C" NOT NULL,
        key TEXT COLLATE "C" NOT NULL,
        key_start TEXT COLLATE "C" NOT NULL,
        PRIMARY KEY (tenant, memory_id, number)
    );
    CREATE INDEX graph_mentions_of ON graph_mentions (tenant, entity_id, memory_id);
    CREATE INDEX graph_mentions_called ON graph_mentions (owner, key_start, entity_id);
    CREATE INDEX graph_mentions_whose ON graph_mentions (tenant, user_id);

    CREATE TABLE graph_relations (
        tenant TEXT COLLATE "C" NOT NULL,
        memory_id TEXT COLLATE "C" NOT NULL,
        number BIGINT NOT NULL,
        user_id TEXT, agent_id TEXT, run_id TEXT,
        source TEXT COLLATE "C" NOT NULL,
        relation TEXT COLLATE "C" NOT NULL,
        target TEXT COLLATE "C" NOT NULL,
        quote TEXT COLLATE "C" NOT NULL,
        PRIMARY KEY (tenant, memory_id, number)
    );
    CREATE INDEX graph_relations_from ON graph_relations (tenant, source);
    CREATE INDEX graph_relations_to ON graph_relations (tenant, target);

    -- The ledger: who is one and the same. All else is read from the memories again.
    CREATE TABLE graph_merges (
        position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant TEXT COLLATE "C" NOT NULL,
        id TEXT COLLATE "C" NOT NULL,
        user_id TEXT, agent_id TEXT, run_id TEXT,
        kept TEXT COLLATE "C" NOT NULL,
        gone TEXT COLLATE "C" NOT NULL,
        at BIGINT NOT NULL,
        by_whom TEXT COLLATE "C" NOT NULL,
        memory_id TEXT COLLATE "C",
        score DOUBLE PRECISION,
        undone_at BIGINT,
        UNIQUE (tenant, id)
    );
    CREATE INDEX graph_merges_said ON graph_merges (tenant, memory_id);
    CREATE INDEX graph_merges_kept ON graph_merges (tenant, kept);
    CREATE INDEX graph_merges_gone ON graph_merges (tenant, gone);

    -- Memories that are about to change, or have changed and were not read again.
    CREATE TABLE graph_marks (
        position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        number BIGINT NOT NULL,
        tenant TEXT COLLATE "C" NOT NULL,
        memory_id TEXT COLLATE "C" NOT NULL,
        user_id TEXT, agent_id TEXT, run_id TEXT
    );
    CREATE INDEX graph_marks_of ON graph_marks (tenant, memory_id);

    -- By which reader the graph was built, and how far.
    CREATE TABLE graph_notes (
        name TEXT COLLATE "C" PRIMARY KEY,
        value TEXT COLLATE "C" NOT NULL
    )
    """
