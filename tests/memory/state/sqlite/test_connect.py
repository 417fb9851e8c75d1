"""Files that older versions wrote are opened, brought up to date, and lose nothing."""

import asyncio
import contextlib
import errno
import sqlite3
from pathlib import Path

import pytest

from recollect.memory.model.errors import StateDamagedError, StateError, StateUnwritableError
from recollect.memory.state.sqlite import (
    STATE_MIGRATIONS,
    Database,
)
from recollect.memory.state.sqlite.connect import not_opened, translated
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


def first_version(path: Path, script: str) -> sqlite3.Connection:
    """A file as the first version of Recollect made it."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(f"PRAGMA journal_mode=WAL; {script}; PRAGMA user_version=1")
    return connection


@pytest.mark.parametrize("old", [0, 1])
async def test_processes_that_open_an_old_file_at_once(tmp_path, old):
    """A proxy and its workers may start together: one migrates, the others find it done."""
    path = tmp_path / "state.db"
    if old:
        first_version(path, STATE_MIGRATIONS[0]).close()
    opened = await asyncio.gather(*(Database.open(path, STATE_MIGRATIONS) for _ in range(8)))
    for database in opened:
        await database.close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(STATE_MIGRATIONS),)


async def test_a_migration_that_fails_leaves_the_old_file(tmp_path):
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
