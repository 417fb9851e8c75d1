"""Which columns are sealed: all of the schema that can hold what somebody said."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from functools import partial

import pytest

import recollect.memory.database
import recollect.memory.memories
from recollect.memory.database.scripts import each, one
from recollect.memory.database.sealing.columns import SAME, SEALED, plan_of
from recollect.memory.database.sqlite import TABLES
from recollect.memory.model.errors import StateError
from tests.memory.sealing.opened import opened

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


NUMBERS = {"after", "at", "before", "far", "now", "uncounted", "until", "upto"}
"""Names in statements that are no column's: positions and moments, never a text."""


def statements() -> Iterator[str]:
    """Those that are constants of the modules that have SQL."""
    for package in (recollect.memory.database, recollect.memory.memories):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for value in vars(importlib.import_module(found.name)).values():
                if isinstance(value, str) and re.search(r"\b(INSERT|UPDATE|SELECT)\s", value):
                    yield value


def test_every_statement_names_its_values_after_their_columns() -> None:
    """None is refused, and whatever has another name is a number."""
    written: Counter[str] = Counter()
    for sql in statements():
        plan = plan_of(sql)
        written[plan.table] += 1
        assert plan.unknown <= NUMBERS, sql
    assert written.keys() >= SEALED.keys()


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO memory_vectors (position, vector) VALUES (:position, :embedder_id)",
        "INSERT INTO turns (id, user_text) SELECT id, :text FROM turns",
        "INSERT INTO turns (id, user_text) SELECT id, model FROM turns",
        "WITH a AS (SELECT 1) INSERT INTO turns (id, user_text) SELECT :id, :model FROM a",
        "insert into public.turns (id, user_text) values (:id, 'literal')",
        "UPDATE turns SET user_text = :model WHERE id = :id",
        "UPDATE turns SET user_text = coalesce(:model, user_text) WHERE id = :id",
        "UPDATE turns SET user_text = CASE erased WHEN 0 THEN :model END",
        "UPDATE memories SET text = CASE WHEN id = :id THEN :text ELSE :session END",
        "insert into turns (id, note) values (:id, case when :seq = 1 then :note else :model end)",
        "UPDATE turns SET note = :before WHERE id = :id",
        "UPDATE jobs SET state = 'dead' WHERE error = :why",
    ],
)
def test_what_cannot_be_sealed_is_not_written(sql: str) -> None:
    """A sealed column that no value is bound for by its name is refused."""
    with pytest.raises(StateError, match="cannot be sealed"):
        plan_of(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM turns WHERE tenant = :tenant AND user_text LIKE :part",
        "SELECT id FROM memory_history WHERE new_value = :text",
        "UPDATE jobs SET state = 'dead' WHERE error = :error",
    ],
)
def test_what_would_find_nothing_is_refused(sql: str) -> None:
    """A condition on a sealed column that nobody thought of is an error, no empty answer."""
    with pytest.raises(StateError, match="cannot be compared"):
        plan_of(sql)


@pytest.mark.parametrize(
    ("sql", "unknown"),
    [
        (
            "UPDATE turns SET user_text = CASE erased WHEN 0 THEN :user_text ELSE :new_text END",
            "new_text",
        ),
        ("UPDATE memories SET text = :text || lower(:more) WHERE id = :id", "more"),
        (
            """INSERT INTO blocks (id, label, value) VALUES (:id, :label, :value)
            ON CONFLICT (id) DO UPDATE SET value = CASE version WHEN 1 THEN :other END""",
            "other",
        ),
        ("INSERT INTO memory_vectors VALUES (:position, :embedder_id, :data)", "data"),
    ],
)
async def test_a_text_that_is_named_after_no_column_is_refused(sql: str, unknown: str) -> None:
    """In whatever expression it stands; nothing is written, and a number is none."""
    scripts = await opened(":memory:")
    values: dict[str, object] = dict.fromkeys(re.findall(r":(\w+)", sql), 1) | {"tenant": "t"}
    for text in ("secret", b"secret"):
        for run in (
            scripts.statement(sql, values | {unknown: text}),
            scripts.change(partial(one, sql, values | {unknown: text}), tenants=()),
            scripts.change(partial(each, sql, [values | {unknown: text}]), tenants=()),
        ):
            with pytest.raises(StateError, match=f"'{unknown}' is no column"):
                await run
    assert plan_of(sql).unknown == {unknown}
    await scripts.close()


@pytest.mark.parametrize(
    ("sql", "sealed"),
    [
        (
            """INSERT INTO turns (id, user_text, before) VALUES (:id, :user_text,
            CASE WHEN EXISTS (SELECT 1 FROM turns WHERE id IN :ids[]) THEN NULL ELSE :before END)
            """,
            {"user_text", "before"},
        ),
        ("UPDATE jobs SET state = 'dead', error = :error WHERE id = :id", {"error"}),
        (
            "UPDATE turns SET note = :note WHERE id = :id AND coalesce(note, '') = :note_was",
            {"note", "note_was"},
        ),
        ("UPDATE jobs SET task = coalesce(:task, task) WHERE id = :id", {"task"}),
        ("UPDATE turns SET remembered = 1 WHERE conversation_id = :place", set()),
        ("INSERT INTO memory_vectors VALUES (:position, :embedder_id, :vector)", {"vector"}),
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
    """In whatever expression they stand; a list is none."""
    assert plan_of(sql).written.keys() == sealed


def test_a_condition_that_sealed_texts_cannot_meet_is_left_out() -> None:
    """The memories that a pattern or a word would find are read and tested instead."""
    plan = plan_of("SELECT id FROM memories WHERE tenant = :v0 AND (text LIKE :v1 OR id = :v2)")
    assert plan.sql == "SELECT id FROM memories WHERE tenant = :v0 AND (1 = 1 OR id = :v2)"
    assert (plan.table, plan.compared) == ("", frozenset())


def test_names_are_compared_as_they_are_sealed() -> None:
    """What is looked up by equality is the same for the same text of a user."""
    plan = plan_of("SELECT 1 FROM graph_mentions n WHERE n.owner = :owner AND n.key = :key")
    assert plan.sql.endswith("n.owner = :owner AND n.key IN :key[]")
    assert plan.compared == {"key"} <= SAME
