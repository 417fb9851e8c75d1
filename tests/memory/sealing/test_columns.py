"""Which columns are sealed: all of the schema that can hold what somebody said."""

from __future__ import annotations

import sqlite3

import pytest

from recollect.memory.database.sealing.columns import SEALED, Sealing, plan_of
from recollect.memory.database.sqlite import TABLES
from recollect.memory.model.errors import StateError

OPEN = {
    "accepted_tenants": "tenant",
    "attachments": "tenant kind item_id receiver to_user_id to_agent_id to_run_id user_id agent_id "
    "run_id rights",
    "block_versions": "owner tenant user_id agent_id run_id id author writer",
    "blocks": "owner tenant user_id agent_id run_id id author writer",
    "changes": "tenant user_id agent_id run_id kind ids writer",
    "closed_scopes": "owner tenant user_id agent_id run_id",
    "daily_sums": "tenant day batches",
    "deed_heads": "owner tenant user_id agent_id run_id hash first_hash",
    "deed_salts": "tenant memory_id ground user_id agent_id run_id",
    "deeds": "owner told hash",
    "graph_again": "owner tenant user_id agent_id run_id fold",
    "graph_entities": "tenant id owner user_id agent_id run_id kind root",
    "graph_mentions": "tenant memory_id user_id agent_id run_id owner entity_id",
    "graph_merges": "tenant id user_id agent_id run_id kept gone by_whom memory_id",
    "graph_notes": "name value",
    "graph_relations": "tenant memory_id user_id agent_id run_id source target",
    "hours": "tenant",
    "index_marks": "name holder",
    "jobs": "id kind tenant user_id agent_id run_id partition conversation_id reason state lease "
    "file",
    "ledger": "tenant day kind",
    "memories": "id tenant user_id agent_id run_id type status source session embedder_id",
    "memory_history": "id memory_id tenant user_id agent_id run_id event stage taken_from",
    "memory_vectors": "embedder_id",
    "notes": "name value",
    "occasions": "tenant memory_id use occasion",
    "offers": "tenant name text",
    "processes": "name",
    "standings": "tenant model standing",
    "switches": "name",
    "task_pieces": "file",
    "tombstones": "tenant memory_id",
    "turns": "id conversation_id tenant user_id agent_id run_id model recalled asked zone "
    "response_id upstream_id uncounted",
    "upkeep_runs": "tenant user_id agent_id run_id id kind reason changes figures",
    "usage": "tenant memory_id",
}
"""Columns without a text of a user: ids, digests, figures, kinds, names of models."""


def test_every_column_is_sealed_or_holds_no_text() -> None:
    """Whoever adds a column says which: what nobody thought of would be kept in the open."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(TABLES)
    tables = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    for (table,) in tables:
        columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
        texts = {row[1] for row in columns if row[2] in {"TEXT", "BLOB"}}
        told = {*SEALED.get(table, ()), *OPEN.get(table, "").split()}
        assert texts == told, f"{table}: {sorted(texts ^ told)}"
    connection.close()


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO memory_vectors VALUES (:position, :embedder_id, :vector)",
        "INSERT INTO turns (id, user_text) SELECT id, :text FROM turns",
    ],
)
def test_what_cannot_be_sealed_is_not_written(sql: str) -> None:
    """A statement that is not understood is refused: it would write in the open."""
    with pytest.raises(StateError, match="cannot be sealed"):
        plan_of(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM turns WHERE tenant = :tenant AND user_text LIKE :part",
        "SELECT id FROM memory_history WHERE new_value = :text",
        "UPDATE jobs SET state = 'dead' WHERE error = :why",
    ],
)
def test_what_would_find_nothing_is_refused(sql: str) -> None:
    """A condition on a sealed column that nobody thought of is an error, no empty answer."""
    with pytest.raises(StateError, match="cannot be compared"):
        plan_of(sql)


@pytest.mark.parametrize(
    ("sql", "sealed"),
    [
        (
            """INSERT INTO turns (id, user_text, before) VALUES (:id, :said,
            CASE WHEN EXISTS (SELECT 1 FROM turns WHERE id IN :ids[]) THEN NULL ELSE :before END)
            """,
            {"said", "before"},
        ),
        ("UPDATE jobs SET state = 'dead', error = :why WHERE id = :id", {"why"}),
        ("UPDATE jobs SET -- error = :no\n state = :state WHERE id = :id", set()),
        (
            "UPDATE turns SET note = :note WHERE id = :id AND coalesce(note, '') = :was",
            {"note", "was"},
        ),
        ("UPDATE jobs SET task = coalesce(:task, task) WHERE id = :id", {"task"}),
        (
            """INSERT INTO blocks (id) VALUES (:id) ON CONFLICT (id) DO UPDATE SET value = :value
            RETURNING id""",
            {"value"},
        ),
        ("UPDATE usage SET recalled = :n WHERE memory_id = :id", set()),
        ("DELETE FROM turns WHERE id = :id", set()),
    ],
)
def test_the_values_of_sealed_columns_are_found(sql: str, sealed: set[str]) -> None:
    """In whatever expression they stand; a condition and a list are none."""
    assert set(plan_of(sql).written) == sealed


def test_a_condition_that_sealed_texts_cannot_meet_is_left_out() -> None:
    """The memories that a pattern or a word would find are read and tested instead."""
    plan = plan_of("SELECT id FROM memories WHERE tenant = :v0 AND (text LIKE :v1 OR id = :v2)")
    assert plan.sql == "SELECT id FROM memories WHERE tenant = :v0 AND (1 = 1 OR id = :v2)"
    assert plan.plain


def test_names_are_compared_as_they_are_sealed() -> None:
    """What is looked up by equality is the same for the same text of a user."""
    plan = plan_of("SELECT 1 FROM graph_mentions n WHERE n.owner = :owner AND n.key = :key")
    assert plan.sql.endswith("n.owner = :owner AND n.key IN :key[]")
    assert plan.compared == {"key"}
    assert SEALED["graph_mentions"]["key"] is Sealing.SAME
