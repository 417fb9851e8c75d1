"""The SQLite state keeps the contracts, also across a reopening."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.memory.model.types import EventKind
from recollect.memory.state.sqlite import (
    HISTORY_MIGRATIONS,
    STATE_MIGRATIONS,
    Database,
    SqliteHistory,
    open_sqlite_state,
)
from recollect.memory.state.sqlite.connect import Synchronous
from recollect.memory.state.sqlite.conversations import SqliteConversations
from recollect.memory.state.sqlite.jobs import SqliteJobs
from tests.memory.state.contract import (
    ALICE,
    BOB,
    NOON,
    ConversationContract,
    HistoryContract,
    JobContract,
    job,
    record,
    turn,
)


class TestConversations(ConversationContract):
    @pytest.fixture
    def conversations(self, state_database: Database) -> SqliteConversations:
        return SqliteConversations(state_database)


class TestJobs(JobContract):
    @pytest.fixture
    def jobs(self, state_database: Database) -> SqliteJobs:
        return SqliteJobs(state_database)


class TestHistory(HistoryContract):
    @pytest.fixture
    def history(self, history_database: Database) -> SqliteHistory:
        return SqliteHistory(history_database)


async def test_everything_survives_a_restart(tmp_path: Path) -> None:
    """Turns, watermark, jobs with leases, and history are there when the files are reopened."""
    state, past = tmp_path / "state.db", tmp_path / "history.db"
    database = await Database.open(state, STATE_MIGRATIONS)
    conversations, jobs = SqliteConversations(database), SqliteJobs(database)
    await conversations.record(turn("a"))
    await conversations.record(turn("b"))
    await conversations.mark_learned("c1", 1)
    await jobs.put(job("j"))
    await jobs.claim(now=NOON, lease_seconds=60)
    await database.close()
    row = record("m", EventKind.ADD)
    history = SqliteHistory(await Database.open(past, HISTORY_MIGRATIONS))
    await history.append([row])
    await history.close()

    database = await Database.open(state, STATE_MIGRATIONS)
    conversations, jobs = SqliteConversations(database), SqliteJobs(database)
    assert [t.seq for t in await conversations.unlearned("c1", 9)] == [2]
    assert await jobs.counts() == {"ready": 0, "leased": 1, "done": 0, "dead": 0}
    assert await jobs.claim(now=NOON, lease_seconds=60) is None
    await database.close()
    history = SqliteHistory(await Database.open(past, HISTORY_MIGRATIONS))
    assert await history.of("local", "m") == [row]
    await history.close()


async def test_jobs_of_a_dead_process_are_taken_back(tmp_path: Path) -> None:
    """A lease is ended early only when no living process can hold it."""
    path = tmp_path / "state.db"
    state = await open_sqlite_state(path, "normal")
    jobs = state.jobs
    await jobs.put(job("j"))
    held = await jobs.claim(now=NOON, lease_seconds=600)
    assert held is not None

    beside = await open_sqlite_state(path, "normal")
    assert await beside.jobs.claim(now=NOON, lease_seconds=600) is None
    await beside.close()

    await state.close()
    after = await open_sqlite_state(path, "normal")
    again = await after.jobs.claim(now=NOON, lease_seconds=600)
    assert again is not None
    assert again.attempts == 2
    await after.close()


async def test_a_cancelled_job_of_a_dead_process_is_cleaned_up(tmp_path: Path) -> None:
    """What was forgotten while a process held it stays forgotten when that one is gone."""
    path = tmp_path / "state.db"
    state = await open_sqlite_state(path, "normal")
    await state.jobs.put(job("j"))
    held = await state.jobs.claim(now=NOON, lease_seconds=600)
    assert held is not None
    await state.jobs.save_checkpoint(held, "secret")
    await state.jobs.erase(ALICE)
    await state.close()

    state = await open_sqlite_state(path, "normal")
    assert not await state.jobs.ack(held)
    again = await state.jobs.claim(now=NOON, lease_seconds=600)
    assert again is not None
    assert (again.cancelled, again.checkpoint) == (True, None)
    assert await state.jobs.ack(again)
    assert await state.jobs.depth() == 0
    await state.close()


@pytest.mark.parametrize("synchronous", ["normal", "full"])
async def test_erased_text_is_not_in_the_file(tmp_path: Path, synchronous: Synchronous) -> None:
    """Neither the file nor its log holds what was forgotten, in free pages either."""
    path, past = tmp_path / "state.db", tmp_path / "history.db"
    state = await open_sqlite_state(path, synchronous)
    history = SqliteHistory(await Database.open(past, HISTORY_MIGRATIONS, synchronous=synchronous))

    def found(words: bytes) -> bool:
        return any(words in file.read_bytes() for file in tmp_path.iterdir())

    for n in range(50):
        said = replace(turn(str(n)), user_text="my SECRETWORDS " * 50, images=("SECRETWORDS",))
        await state.conversations.record(said)
        await state.conversations.record(replace(said, assistant_text="SECRETWORDS " * n))
    await state.jobs.put(job("j"))
    held = await state.jobs.claim(now=NOON, lease_seconds=600)
    assert held is not None
    await state.jobs.save_checkpoint(held, "SECRETWORDS")
    await history.append([replace(record("m", EventKind.ADD), new_value="SECRETWORDS " * 500)])
    await state.conversations.record(turn("kept", "c2", scope=BOB))
    assert found(b"SECRETWORDS")
    assert await state.conversations.erase(ALICE) == 50
    assert await state.jobs.erase(ALICE) == 1
    assert await history.erase("local", ["m"]) == 1
    assert not found(b"SECRETWORDS")
    assert found(b"user kept")
    # Nor when a client sends it again.
    again = replace(turn("0"), user_text="my SECRETWORDS", assistant_text="SECRETWORDS", tokens=9)
    assert (await state.conversations.record(again)).pending == 0
    await state.jobs.put(job("k"))
    assert not found(b"SECRETWORDS")
    await state.close()
    await history.close()


async def test_recording_does_not_wait_for_the_thread(tmp_path: Path) -> None:
    """The two statements that are on the way of every answer go the short way."""
    state = await open_sqlite_state(tmp_path / "x.db", "normal")
    database = state.conversations._database
    before = database._direct_statements
    await state.conversations.record(turn("a"))
    await state.conversations.record(turn("a"))
    assert database._direct_statements == before + 4
    await state.close()


async def test_indexes_serve_what_is_asked_often(tmp_path: Path) -> None:
    """Neither claiming, nor the queue's bound, nor forgetting a user reads whole tables."""
    state = await open_sqlite_state(tmp_path / "x.db", "normal")

    def plans(connection: sqlite3.Connection) -> list[str]:
        questions = (
            "SELECT count(*) FROM jobs WHERE state IN ('ready', 'leased')",
            "SELECT max(queued_order) FROM jobs",
            "SELECT id FROM jobs WHERE tenant = 't' ORDER BY queued_order DESC LIMIT 9",
            "SELECT id FROM turns WHERE NOT erased AND tenant = 't' AND user_id = 'u'",
            "SELECT id FROM turns WHERE NOT erased AND learned AND created_at < 9",
            "SELECT count(*), sum(tokens) FROM turns WHERE conversation_id = 'c' AND NOT learned",
        )
        rows = [connection.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall() for sql in questions]
        return [" ".join(row[3] for row in plan) for plan in rows]

    for plan in await state.conversations._database.run(plans):
        assert "USING" in plan
        assert "INDEX" in plan
        assert "TEMP B-TREE" not in plan
    await state.close()
