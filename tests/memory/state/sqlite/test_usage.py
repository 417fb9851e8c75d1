"""The SQLite counters keep the contract, also across a reopening."""

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from recollect.memory.model.usage import Usage
from recollect.memory.state.sqlite import SqliteState, open_sqlite_state
from tests.memory.state.contract import NOON, UsageContract, turn


@pytest.fixture
async def state(tmp_path: Path) -> AsyncIterator[SqliteState]:
    opened = await open_sqlite_state(tmp_path / "state.db", "normal")
    yield opened
    await opened.close()


class TestUsage(UsageContract):
    """The fixture `state` is that of this module."""


async def test_what_a_dead_process_recorded_is_counted(tmp_path: Path) -> None:
    """The note of a turn survives, and so does what was counted."""
    first = await open_sqlite_state(tmp_path / "x.db", "normal")
    await first.conversations.record(turn("a", recalled=("m1",)))
    await first.close()
    second = await open_sqlite_state(tmp_path / "x.db", "normal")
    assert await second.usage.settle() == 1
    await second.close()
    third = await open_sqlite_state(tmp_path / "x.db", "normal")
    await third.conversations.record(turn("a", recalled=("m1",)))
    assert await third.usage.settle() == 1
    once = Usage(recalled=1, last_recalled=NOON)
    assert await third.usage.of("local", ["m1"]) == {"m1": once}
    await third.close()


async def test_indexes_serve_what_is_asked_often(state: SqliteState) -> None:
    """Neither looking for notes, nor erasing, nor pruning reads whole tables."""

    def plans(connection: sqlite3.Connection) -> list[str]:
        questions = (
            "SELECT id FROM turns WHERE uncounted IS NOT NULL LIMIT 9",
            "DELETE FROM occasions WHERE tenant = 't' AND memory_id IN ('m')",
            "DELETE FROM occasions WHERE at < 9",
        )
        rows = [connection.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall() for sql in questions]
        return [" ".join(row[3] for row in plan) for plan in rows]

    for plan in await state.database.run(plans):
        assert "USING" in plan
