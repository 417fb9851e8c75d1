"""The tables of the state and of the history, in format 1 (`model.format`)."""

STATE_TABLES = """
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

    CREATE TABLE tombstones (
        tenant TEXT NOT NULL,
        memory_id TEXT NOT NULL,
        PRIMARY KEY (tenant, memory_id)
    ) WITHOUT ROWID;

    -- A scope id is never empty: '' stands for one that is not set.
    CREATE TABLE closed_scopes (
        tenant TEXT NOT NULL, user_id TEXT NOT NULL, agent_id TEXT NOT NULL, run_id TEXT NOT NULL,
        closed INTEGER NOT NULL,
        PRIMARY KEY (tenant, user_id, agent_id, run_id)
    ) WITHOUT ROWID;

    -- What models were asked for, by the kind of work.
    CREATE TABLE ledger (
        tenant TEXT NOT NULL,
        day TEXT NOT NULL,
        kind TEXT NOT NULL DEFAULT 'learn',
        calls INTEGER NOT NULL,
        prompt_tokens INTEGER NOT NULL,
        completion_tokens INTEGER NOT NULL,
        PRIMARY KEY (tenant, day, kind)
    ) WITHOUT ROWID;

    -- Calls of learning in the latest hour of each tenant.
    CREATE TABLE hours (
        tenant TEXT PRIMARY KEY,
        hour INTEGER NOT NULL,
        calls INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE standings (
        tenant TEXT NOT NULL,
        model TEXT NOT NULL,
        standing TEXT NOT NULL,
        PRIMARY KEY (tenant, model)
    ) WITHOUT ROWID;

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

    -- What waits for a user's answer. Ids and digests, no text of theirs.
    CREATE TABLE offers (
        tenant TEXT NOT NULL,
        name TEXT NOT NULL,
        text TEXT NOT NULL,
        until INTEGER NOT NULL,
        PRIMARY KEY (tenant, name)
    ) WITHOUT ROWID;

    -- What an operator turned off, of the whole server.
    CREATE TABLE switches (
        name TEXT PRIMARY KEY,
        turned_on INTEGER NOT NULL
    ) WITHOUT ROWID;

    -- What chats took and gave, by day (UTC). Figures only.
    CREATE TABLE daily_sums (
        tenant TEXT NOT NULL,
        day TEXT NOT NULL,
        chats INTEGER NOT NULL,
        recalled INTEGER NOT NULL,
        injected_lines INTEGER NOT NULL,
        injected_tokens INTEGER NOT NULL,
        embedded_texts INTEGER NOT NULL,
        learned INTEGER NOT NULL,
        cached_tokens INTEGER NOT NULL,
        cached_answers INTEGER NOT NULL,
        prompt_tokens INTEGER NOT NULL,
        -- Requests that asked which memory changed an answer, and their tokens.
        whatif_calls INTEGER NOT NULL DEFAULT 0,
        whatif_tokens INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (tenant, day)
    ) WITHOUT ROWID;

    -- What scopes may see that they do not own. '' stands for an id that is not set.
    CREATE TABLE attachments (
        tenant TEXT NOT NULL,
        kind TEXT NOT NULL,
        item_id TEXT NOT NULL,
        to_user TEXT NOT NULL, to_agent TEXT NOT NULL, to_run TEXT NOT NULL,
        user_id TEXT, agent_id TEXT, run_id TEXT,
        rights TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (tenant, kind, item_id, to_user, to_agent, to_run)
    ) WITHOUT ROWID;
    CREATE INDEX attachments_for ON attachments (tenant, kind, to_user, to_agent, to_run);

    -- Working blocks, and their earlier versions. '' stands for an id that is not set.
    CREATE TABLE blocks (
        tenant TEXT NOT NULL,
        user_id TEXT NOT NULL, agent_id TEXT NOT NULL, run_id TEXT NOT NULL,
        id TEXT NOT NULL,
        label TEXT NOT NULL,
        description TEXT NOT NULL,
        value TEXT NOT NULL,
        token_limit INTEGER NOT NULL,
        read_only INTEGER NOT NULL,
        version INTEGER NOT NULL,
        author TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        PRIMARY KEY (tenant, id),
        UNIQUE (tenant, user_id, agent_id, run_id, label)
    ) WITHOUT ROWID;
    CREATE TABLE block_versions (
        tenant TEXT NOT NULL,
        user_id TEXT NOT NULL, agent_id TEXT NOT NULL, run_id TEXT NOT NULL,
        id TEXT NOT NULL,
        label TEXT NOT NULL,
        description TEXT NOT NULL,
        value TEXT NOT NULL,
        token_limit INTEGER NOT NULL,
        read_only INTEGER NOT NULL,
        version INTEGER NOT NULL,
        author TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        PRIMARY KEY (tenant, id, version)
    ) WITHOUT ROWID;

    -- What upkeep did to memories. Ids and figures, no text.
    CREATE TABLE upkeep_runs (
        tenant TEXT NOT NULL,
        user_id TEXT, agent_id TEXT, run_id TEXT,
        id TEXT NOT NULL,
        kind TEXT NOT NULL,
        at INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (tenant, id)
    ) WITHOUT ROWID;
    CREATE INDEX upkeep_runs_of ON upkeep_runs (tenant, user_id, at)
    """

HISTORY_TABLES = """
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
        valid_at INTEGER,
        stage TEXT NOT NULL DEFAULT '',
        reason TEXT NOT NULL DEFAULT '',
        scores TEXT,
        trust TEXT,
        UNIQUE (tenant, id)
    );
    CREATE INDEX memory_history_of ON memory_history (tenant, memory_id, position);
    CREATE INDEX memory_history_whose ON memory_history (tenant, user_id)
    """
