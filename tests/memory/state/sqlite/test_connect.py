"""Files that older versions wrote are opened, brought up to date, and lose nothing."""

import asyncio
import contextlib
import errno
import sqlite3
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from recollect.memory.model.errors import StateDamagedError, StateError, StateUnwritableError
from recollect.memory.model.jobs import JobKind, Spent
from recollect.memory.model.types import EventKind, HistoryRecord, JobState, utc_now
from recollect.memory.state import HistoryOptions, StateOptions, open_history, open_state
from recollect.memory.state.sqlite import (
    HISTORY_TABLES,
    STATE_TABLES,
    Database,
    open_sqlite_state,
)
from recollect.memory.state.sqlite.connect import not_opened, translated
from tests.memory.state.contract import ALICE, NOON, job, turn
from tests.support.folding import rows


def failing(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("it failed")
    error.sqlite_errorcode = code
    error.sqlite_errorname = "SQLITE_X"
    return error


@rows(
    "code, kind",
    [
        (sqlite3.SQLITE_FULL, StateUnwritableError),
        (sqlite3.SQLITE_IOERR_WRITE, StateUnwritableError),
        (sqlite3.SQLITE_IOERR_FSYNC, StateUnwritableError),
        (sqlite3.SQLITE_IOERR_SHMSIZE, StateUnwritableError),
        (sqlite3.SQLITE_READONLY_DBMOVED, StateUnwritableError),
        (sqlite3.SQLITE_CANTOPEN, StateUnwritableError),
        (sqlite3.SQLITE_CORRUPT, StateDamagedError),
        (sqlite3.SQLITE_NOTADB, StateDamagedError),
        (sqlite3.SQLITE_IOERR_READ, StateError),
        (sqlite3.SQLITE_BUSY, StateError),
        (sqlite3.SQLITE_CONSTRAINT_UNIQUE, StateError),
    ],
)
def test_codes(code, kind):
    """A refused write and damage are told apart from everything else, with what mends them."""
    found = translated(failing(code), "state.db")
    assert type(found) is kind
    assert "it failed" in str(found)
    assert ("state.db" in found.advice) == (kind is not StateError)


def test_errors_without_a_code():
    """Half of a character, which never reaches SQLite."""
    assert type(translated(UnicodeEncodeError("utf-8", "x", 0, 1, "no"), "s")) is StateError


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (OSError(errno.ENOSPC, "full"), StateUnwritableError),
        (failing(sqlite3.SQLITE_IOERR_SHMSIZE), StateUnwritableError),
        (OSError(errno.EACCES, "no"), StateError),
        (failing(sqlite3.SQLITE_CANTOPEN), StateUnwritableError),
        (failing(sqlite3.SQLITE_BUSY), StateError),
    ],
)
def test_opening(error, kind):
    """A disk that takes nothing is no reason not to start, a wrong path is; both name the path."""
    found = not_opened(error, Path("/data/state.db"))
    assert type(found) is kind
    assert "/data/state.db" in str(found)
    assert "/data" not in found.advice


TURN = (
    "INSERT INTO turns (id, conversation_id, seq, tenant, user_id, user_text, assistant_text, "
    "model, created_at, learned) VALUES (?, 'c1', ?, 'local', 'alice', ?, ?, 'm', ?, ?)"
)
JOB = (
    "INSERT INTO jobs (id, tenant, user_id, partition, conversation_id, upto_seq, reason, state, "
    "attempts, lease, lease_until, checkpoint, error, queued_order) "
    "VALUES (?, 'local', 'alice', 'local/alice', 'c1', 1, 'test', ?, ?, ?, ?, ?, ?, ?)"
)
NOON_MS = 1_772_452_800_000


def first_version(path: Path, script: str) -> sqlite3.Connection:
    """A file as the first version of Recollect made it."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(f"PRAGMA journal_mode=WAL; {script}; PRAGMA user_version=1")
    return connection


async def test_the_first_state_is_brought_up_to_date(tmp_path: Path) -> None:
    """Turns, watermark and jobs of the first version are there; what is new works on them."""
    path = tmp_path / "state.db"
    with contextlib.closing(first_version(path, STATE_TABLES[0])) as old:
        old.execute(TURN, ("c1/a", 1, "user a", "assistant a", NOON_MS, 1))
        old.execute(TURN, ("c1/b", 2, "user b", "assistant b", NOON_MS, 0))
        old.execute(JOB, ("done", "done", 1, None, 0, None, None, 1))
        old.execute(JOB, ("dead", "dead", 5, None, 0, "decisions", "poison", 2))
        old.execute(JOB, ("held", "leased", 1, "x", NOON_MS * 2, "decisions", None, 3))
        old.execute(JOB, ("next", "ready", 0, None, 0, None, None, 4))

    before = utc_now() - timedelta(seconds=2)
    state = await open_state(StateOptions(url=path))
    assert await state.conversations.unlearned("c1", 9) == [replace(turn("b"), seq=2)]
    assert (await state.conversations.record(turn("c", tokens=5))).pending_tokens == 5
    assert (await state.conversations.record(turn("a"))).pending == 2
    oldest = await state.jobs.oldest()
    assert oldest is not None
    assert before <= oldest <= utc_now()
    [dead] = await state.jobs.reports(state=JobState.DEAD)
    assert (dead.job.id, dead.error, dead.raw, dead.job.attempts) == ("dead", "poison", None, 5)
    held = await state.jobs.claim(now=NOON, lease_seconds=60)
    assert held is not None
    assert (held.id, held.attempts, held.checkpoint) == ("held", 2, "decisions")
    assert not held.cancelled
    assert await state.jobs.ack(held)
    assert await state.jobs.revive("dead")
    assert not await state.jobs.put(job("done"))
    assert await state.conversations.erase(ALICE) == 3
    assert await state.jobs.erase(ALICE) == 4
    await state.close()


async def test_the_first_history_is_brought_up_to_date(tmp_path: Path) -> None:
    """Records of the first version come back, without what was not written down then."""
    path = tmp_path / "history.db"
    with contextlib.closing(first_version(path, HISTORY_TABLES[0])) as old:
        old.execute(
            "INSERT INTO memory_history (id, tenant, memory_id, event, new_value, timestamp, "
            "user_id) VALUES ('r', 'local', 'm', 'ADD', 'new', ?, 'alice')",
            (NOON_MS,),
        )
    history = await open_history(HistoryOptions(url=path))
    assert await history.of("local", "m") == [
        HistoryRecord(
            id="r",
            memory_id="m",
            event=EventKind.ADD,
            old_value=None,
            new_value="new",
            timestamp=NOON,
            is_deleted=False,
            scope=ALICE,
        )
    ]
    assert await history.erase_scope(ALICE) == 1
    await history.close()


@pytest.mark.parametrize("old", [0, 1])
async def test_processes_that_open_an_old_file_at_once(tmp_path: Path, old: int) -> None:
    """A proxy and its workers may start together: one migrates, the others find it done."""
    path = tmp_path / "state.db"
    if old:
        first_version(path, STATE_TABLES[0]).close()
    opened = await asyncio.gather(*(Database.open(path, STATE_TABLES) for _ in range(8)))
    for database in opened:
        await database.close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(STATE_TABLES),)


async def test_a_migration_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    """Half a migration is none: the older version can still be used."""
    path = tmp_path / "x.db"
    with contextlib.closing(first_version(path, "CREATE TABLE t (x)")) as connection:
        connection.execute("INSERT INTO t VALUES (1)")
    broken = ("CREATE TABLE t (x)", "ALTER TABLE t ADD COLUMN y; INSERT INTO nowhere VALUES (1)")
    with pytest.raises(Exception, match="nowhere"):
        await Database.open(path, broken)
    database = await Database.open(path, broken[:1])
    assert await database.run(lambda c: c.execute("SELECT * FROM t").fetchall()) == [(1,)]
    await database.close()


async def test_a_file_without_standings_opens(tmp_path: Path) -> None:
    """Nothing is known of any model there, and no call of the hour was made."""
    path = tmp_path / "x.db"
    before = next(n for n, step in enumerate(STATE_TABLES) if "TABLE standings" in step)
    await (await Database.open(path, STATE_TABLES[:before])).close()
    state = await open_sqlite_state(path, "normal")
    assert await state.standings.of("local") == {}
    assert await state.ledger.called("local", NOON) == 0
    assert await state.standings.change("local", "m", None, "x")
    assert await state.ledger.call("local", NOON, most=1) == 1
    await state.close()


async def test_what_was_spent_before_there_were_kinds_is_learning(tmp_path: Path) -> None:
    """No budget is refilled by a new version."""
    path = tmp_path / "x.db"
    before = next(n for n, step in enumerate(STATE_TABLES) if "TABLE costs" in step)
    database = await Database.open(path, STATE_TABLES[:before])
    await database.change("INSERT INTO ledger VALUES ('t', '2026-03-02', 1, 20, 3)", {})
    await database.close()
    state = await open_sqlite_state(path, "normal")
    assert await state.ledger.between("t", NOON.date(), NOON.date()) == {
        NOON.date(): {JobKind.LEARN: Spent(1, 20, 3)}
    }
    await state.close()
