"""The SQLite state keeps the contracts, also across a reopening."""

from pathlib import Path

import pytest

from memory.state.sqlite import (
    HISTORY_MIGRATIONS,
    STATE_MIGRATIONS,
    Database,
    SqliteConversations,
    SqliteHistory,
    SqliteJobs,
    open_sqlite_state,
)
from memory.types import EventKind
from tests.memory.state.contract import (
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
    conversations, jobs, _ = await open_sqlite_state(path, "normal")
    await jobs.put(job("j"))
    held = await jobs.claim(now=NOON, lease_seconds=600)
    assert held is not None

    beside, their_jobs, _ = await open_sqlite_state(path, "normal")
    assert await their_jobs.claim(now=NOON, lease_seconds=600) is None
    await beside.close()

    await conversations.close()
    after, our_jobs, _ = await open_sqlite_state(path, "normal")
    again = await our_jobs.claim(now=NOON, lease_seconds=600)
    assert again is not None
    assert again.attempts == 2
    await after.close()
