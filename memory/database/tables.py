"""The tables of what is written once, as SQLite takes them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterator

from ..model.daily_sums import Summed

_BLOCK = """\
        owner TEXT NOT NULL,
        tenant TEXT NOT NULL, user_id TEXT NOT NULL, agent_id TEXT NOT NULL, run_id TEXT NOT NULL,
        id TEXT NOT NULL, label TEXT NOT NULL, description TEXT NOT NULL, value TEXT NOT NULL,
        token_limit INTEGER NOT NULL, read_only INTEGER NOT NULL, version INTEGER NOT NULL,
        author TEXT NOT NULL, writer TEXT,
        created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
"""

STATE_TABLES = f"""
    CREATE TABLE turns (
        position INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        conversation_id TEXT NOT NULL, seq INTEGER NOT NULL,
        tenant TEXT NOT NULL, user_id TEXT, agent_id TEXT, run_id TEXT,
        user_text TEXT NOT NULL, assistant_text TEXT NOT NULL, model TEXT NOT NULL,
        created_at INTEGER NOT NULL, tokens INTEGER NOT NULL DEFAULT 0,
        -- 1, 2 if it was given up, or 3 if no model reads it of its own accord.
        learned INTEGER NOT NULL DEFAULT 0,
        erased INTEGER NOT NULL DEFAULT 0, remembered INTEGER NOT NULL DEFAULT 0,
        steps TEXT, recalled TEXT, asked TEXT, images TEXT, before TEXT, note TEXT, zone TEXT,
        response_id TEXT, upstream_id TEXT,
        -- Recalled memories that are not counted yet: lists as JSON, one a line.
        uncounted TEXT,
        UNIQUE (conversation_id, seq)
    );
    CREATE INDEX turns_unlearned ON turns (conversation_id, seq) WHERE learned = 0;
    CREATE INDEX turns_prunable ON turns (created_at) WHERE learned = 1 AND erased = 0;
    CREATE INDEX turns_unread ON turns (created_at) WHERE learned = 3 AND erased = 0;
    CREATE INDEX turns_recent ON turns (tenant, user_id, created_at)
        WHERE erased = 0 AND remembered = 0;
    -- Conversations are listed by their last turns, whatever became of what was said in them.
    CREATE INDEX turns_listed ON turns (tenant, user_id, created_at) WHERE erased = 0;
    CREATE INDEX turns_uncounted ON turns (seq) WHERE uncounted IS NOT NULL;
    CREATE INDEX turns_response ON turns (response_id) WHERE response_id IS NOT NULL;
    CREATE INDEX turns_upstream ON turns (upstream_id) WHERE upstream_id IS NOT NULL;

    -- A partition is a digest of its name.
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
        cancelled INTEGER NOT NULL DEFAULT 0,
        -- Of the tasks of the API: ids and counts, no text; '' stands for no file.
        task TEXT,
        file TEXT NOT NULL DEFAULT '',
        size INTEGER NOT NULL DEFAULT 0,
        expected INTEGER NOT NULL DEFAULT 0,
        updated_at INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX jobs_open ON jobs (queued_order) WHERE state IN ('ready', 'leased');
    CREATE INDEX jobs_open_by_partition ON jobs (partition, queued_order)
        WHERE state IN ('ready', 'leased');
    CREATE INDEX jobs_in_line ON jobs (queued_order);
    CREATE INDEX jobs_of_tenant ON jobs (tenant, queued_order);
    CREATE INDEX jobs_of_api ON jobs (tenant, queued_at) WHERE kind = 'task';
    CREATE INDEX jobs_with_room ON jobs (tenant) WHERE size + expected > 0;
    CREATE INDEX jobs_with_file ON jobs (file) WHERE file <> '';

    CREATE TABLE usage (
        tenant TEXT NOT NULL, memory_id TEXT NOT NULL,
        recalled INTEGER NOT NULL DEFAULT 0, last_recalled INTEGER,
        confirmed INTEGER NOT NULL DEFAULT 0, corrected INTEGER NOT NULL DEFAULT 0,
        positive INTEGER NOT NULL DEFAULT 0, negative INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (tenant, memory_id)
    ) WITHOUT ROWID;

    -- What was counted, so that it is counted once.
    CREATE TABLE occasions (
        tenant TEXT NOT NULL, memory_id TEXT NOT NULL,
        use TEXT NOT NULL, occasion TEXT NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY (tenant, memory_id, use, occasion)
    ) WITHOUT ROWID;
    CREATE INDEX occasions_at ON occasions (at);

    CREATE TABLE tombstones (
        tenant TEXT NOT NULL,
        memory_id TEXT NOT NULL,
        PRIMARY KEY (tenant, memory_id)
    ) WITHOUT ROWID;

    -- A scope id is never empty: '' stands for one that is not set.
    CREATE TABLE closed_scopes (
        owner TEXT PRIMARY KEY,
        tenant TEXT NOT NULL, user_id TEXT NOT NULL, agent_id TEXT NOT NULL, run_id TEXT NOT NULL,
        closed INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX closed_scopes_of ON closed_scopes (tenant, user_id);

    -- What models were asked for, by the kind of work.
    CREATE TABLE ledger (
        tenant TEXT NOT NULL, day TEXT NOT NULL, kind TEXT NOT NULL DEFAULT 'learn',
        calls INTEGER NOT NULL,
        prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL,
        PRIMARY KEY (tenant, day, kind)
    ) WITHOUT ROWID;

    -- Calls of learning in the latest hour of each tenant.
    CREATE TABLE hours (
        tenant TEXT PRIMARY KEY,
        hour INTEGER NOT NULL,
        calls INTEGER NOT NULL
    ) WITHOUT ROWID;

    -- Which processes on several machines are there.
    CREATE TABLE processes (
        name TEXT PRIMARY KEY,
        seen INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE standings (
        tenant TEXT NOT NULL, model TEXT NOT NULL, standing TEXT NOT NULL,
        PRIMARY KEY (tenant, model)
    ) WITHOUT ROWID;

    -- What waits for a user's answer. Ids and digests, no text of theirs.
    CREATE TABLE offers (
        tenant TEXT NOT NULL, name TEXT NOT NULL,
        text TEXT NOT NULL, until INTEGER NOT NULL,
        PRIMARY KEY (tenant, name)
    ) WITHOUT ROWID;

    -- What an operator turned off, of the whole server.
    CREATE TABLE switches (
        name TEXT PRIMARY KEY,
        turned_on INTEGER NOT NULL
    ) WITHOUT ROWID;

    -- Whose credentials the model server accepts, in the order in which it did.
    CREATE TABLE accepted_tenants (
        position INTEGER PRIMARY KEY,
        tenant TEXT NOT NULL UNIQUE
    );

    -- What chats took and gave, by day (UTC). Figures only.
    CREATE TABLE daily_sums (
        tenant TEXT NOT NULL, day TEXT NOT NULL,
        {" ".join(f"{each.value} INTEGER NOT NULL," for each in Summed)}
        -- The names of what was added last.
        batches TEXT NOT NULL,
        PRIMARY KEY (tenant, day)
    ) WITHOUT ROWID;

    -- What scopes may see that they do not own. '' stands for an id that is not set.
    CREATE TABLE attachments (
        tenant TEXT NOT NULL, kind TEXT NOT NULL, item_id TEXT NOT NULL,
        receiver TEXT NOT NULL,
        to_user_id TEXT NOT NULL, to_agent_id TEXT NOT NULL, to_run_id TEXT NOT NULL,
        user_id TEXT, agent_id TEXT, run_id TEXT,
        rights TEXT NOT NULL, created_at INTEGER NOT NULL,
        PRIMARY KEY (tenant, kind, item_id, receiver)
    ) WITHOUT ROWID;
    CREATE INDEX attachments_for ON attachments (tenant, kind, to_user_id);

    -- Working blocks, and their earlier versions. '' stands for an id that is not set.
    CREATE TABLE blocks (
{_BLOCK}        PRIMARY KEY (tenant, id),
        UNIQUE (owner, label)
    ) WITHOUT ROWID;
    CREATE INDEX blocks_for ON blocks (tenant, user_id);
    CREATE TABLE block_versions (
{_BLOCK}        PRIMARY KEY (tenant, id, version)
    ) WITHOUT ROWID;

    -- What upkeep did to memories. Ids and figures, no text.
    CREATE TABLE upkeep_runs (
        tenant TEXT NOT NULL, user_id TEXT, agent_id TEXT, run_id TEXT,
        id TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL, reason TEXT NOT NULL,
        changes TEXT, figures TEXT, unasked INTEGER, undone_at INTEGER,
        PRIMARY KEY (tenant, id)
    ) WITHOUT ROWID;
    CREATE INDEX upkeep_runs_of ON upkeep_runs (tenant, user_id, at);

    -- The files of tasks, each piece compressed.
    CREATE TABLE task_pieces (
        file TEXT NOT NULL,
        start INTEGER NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (file, start)
    )
    """
"""An `owner` is a digest of the ids of a scope, see `rows.owner_key`."""

HISTORY_TABLES = """
    CREATE TABLE memory_history (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL, memory_id TEXT NOT NULL,
        tenant TEXT NOT NULL, user_id TEXT, agent_id TEXT, run_id TEXT,
        event TEXT NOT NULL, old_value TEXT, new_value TEXT,
        timestamp INTEGER NOT NULL, valid_at INTEGER, is_deleted INTEGER NOT NULL DEFAULT 0,
        stage TEXT, reason TEXT, scores TEXT,
        -- What was withheld, and why.
        reasons TEXT, taken_from TEXT, withheld TEXT,
        UNIQUE (tenant, id)
    );
    CREATE INDEX memory_history_of ON memory_history (tenant, memory_id, position);
    CREATE INDEX memory_history_whose ON memory_history (tenant, user_id)
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

    -- Owners all of whose memories are to be linked again: `version` counts what disturbed them,
    -- `fold` is who does it.
    CREATE TABLE graph_again (
        owner TEXT PRIMARY KEY,
        tenant TEXT NOT NULL,
        user_id TEXT, agent_id TEXT, run_id TEXT,
        version INTEGER NOT NULL,
        fold TEXT NOT NULL
    ) WITHOUT ROWID;

    -- By which reader the graph was built, and how far.
    CREATE TABLE graph_notes (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID
    """
"""Names stand in the mentions alone, so that a name falls with the memory that says it. An entity
that is merged into another has that one's id as its root; any other its own. `created_at` is in
microseconds since 1970."""

MEMORY_TABLES = """
    -- '' stands for an id of a scope that is not set. `owner` is a digest of tenant and user: an
    -- index of PostgreSQL holds no row of four long ids.
    CREATE TABLE memories (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL, owner INTEGER NOT NULL,
        tenant TEXT NOT NULL, user_id TEXT NOT NULL, agent_id TEXT NOT NULL, run_id TEXT NOT NULL,
        type TEXT NOT NULL, status TEXT NOT NULL, importance REAL NOT NULL,
        created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
        valid_from INTEGER, valid_to INTEGER,
        last_accessed_at INTEGER, access_count INTEGER NOT NULL,
        version INTEGER NOT NULL,
        -- The version that was linked; less than 0 if it was written since, 0 if it has no links.
        linked_version INTEGER NOT NULL DEFAULT 0,
        hash TEXT NOT NULL,
        source TEXT NOT NULL,
        session TEXT,
        text TEXT NOT NULL,
        -- What it is found by: index terms between spaces.
        terms TEXT NOT NULL,
        provenance TEXT NOT NULL,
        metadata TEXT NOT NULL,
        embedder_id TEXT NOT NULL,
        facts TEXT,
        UNIQUE (tenant, id)
    );
    CREATE INDEX memories_of ON memories (owner, id);
    CREATE INDEX memories_newest ON memories (owner, created_at DESC, id);
    CREATE INDEX memories_of_agent ON memories (tenant, agent_id) WHERE agent_id != '';
    CREATE INDEX memories_of_run ON memories (tenant, run_id) WHERE run_id != '';
    CREATE INDEX memories_named ON memories (id);
    CREATE INDEX memories_unlinked ON memories (owner, created_at, id)
        WHERE status = 'active' AND linked_version < version;
    CREATE INDEX memories_linked ON memories (owner, created_at, id) WHERE linked_version != 0;

    -- Little-endian float32. Other embedders than the one in `notes` are about to take its place.
    CREATE TABLE memory_vectors (
        position INTEGER NOT NULL,
        embedder_id TEXT NOT NULL,
        vector BLOB NOT NULL,
        PRIMARY KEY (position, embedder_id)
    );

    -- What memories name: others that they replace, cite or stand for, and turns. Digests: what is
    -- found is compared again.
    CREATE TABLE memory_grounds (
        ground INTEGER NOT NULL,
        position INTEGER NOT NULL,
        PRIMARY KEY (ground, position)
    ) WITHOUT ROWID;
    CREATE INDEX memory_grounds_of ON memory_grounds (position);

    -- What was written and removed, in the order of the commits. `ids` is JSON: pairs of position
    -- and id.
    CREATE TABLE changes (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        tenant TEXT NOT NULL,
        user_id TEXT NOT NULL, agent_id TEXT NOT NULL, run_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        ids TEXT NOT NULL,
        at INTEGER NOT NULL,
        writer TEXT NOT NULL
    );
    CREATE INDEX changes_at ON changes (at);

    -- Up to where each index is filled, and who fills it.
    CREATE TABLE index_marks (
        name TEXT PRIMARY KEY,
        seq INTEGER,
        position INTEGER,
        holder TEXT NOT NULL,
        held_until INTEGER NOT NULL
    );

    -- Whose vectors are used, and from where on the log of changes is kept.
    CREATE TABLE notes (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID
    """
"""Of the memories. A vector has a table of its own, of rows with numbers of their own: most reads
need none, and a row of 3.6 kB fits into a page of SQLite only there."""

DEED_TABLES = """
    -- What the memory did, as chains by owner. `told` is JSON, and has no text.
    CREATE TABLE deeds (
        owner TEXT NOT NULL,
        seq INTEGER NOT NULL,
        at INTEGER NOT NULL,
        told TEXT NOT NULL,
        hash TEXT NOT NULL,
        PRIMARY KEY (owner, seq)
    );
    CREATE INDEX deeds_at ON deeds (at);

    -- Where each chain begins and ends. '' stands for an id that is not set.
    CREATE TABLE deed_heads (
        owner TEXT PRIMARY KEY,
        tenant TEXT NOT NULL, user_id TEXT NOT NULL, agent_id TEXT NOT NULL, run_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        hash TEXT NOT NULL,
        first_seq INTEGER NOT NULL,
        first_hash TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX deed_heads_whose ON deed_heads (tenant, user_id);

    -- The keys of the hashes of texts: they go with what they tell. `ground` is the turn of what
    -- was only said.
    CREATE TABLE deed_salts (
        tenant TEXT NOT NULL,
        memory_id TEXT NOT NULL,
        ground TEXT NOT NULL,
        user_id TEXT NOT NULL, agent_id TEXT NOT NULL, run_id TEXT NOT NULL,
        salt TEXT NOT NULL,
        PRIMARY KEY (tenant, memory_id)
    ) WITHOUT ROWID;
    CREATE INDEX deed_salts_whose ON deed_salts (tenant, user_id);
    CREATE INDEX deed_salts_said ON deed_salts (ground) WHERE ground <> ''
    """

TABLES = f"{STATE_TABLES};{HISTORY_TABLES};{GRAPH_TABLES};{MEMORY_TABLES};{DEED_TABLES}"
_MAKES = re.compile(r"CREATE (TABLE|INDEX) (\w+)")


def statements(script: str) -> Iterator[str]:
    """The statements of a script, one by one."""
    statement = ""
    for part in script.split(";"):
        statement += f"{part};"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def missing(script: str, there: Collection[str]) -> list[str]:
    """Those statements that make what an earlier version did not have.

    `there` are the names of its tables and indexes.
    """
    made = ((made_by(each), each) for each in statements(script))
    return [each for name, each in made if name is not None and name[1] not in there]


def made_by(statement: str) -> tuple[str, str] | None:
    """Whether a statement makes a TABLE or an INDEX, and its name."""
    found = _MAKES.search(statement)
    return None if found is None else (found[1], found[2])
