"""Errors of SQLite in our words, new files, and files of another format."""

import asyncio
import contextlib
import errno
import shutil
import sqlite3
import tarfile
from pathlib import Path

import pytest

from recollect.memory.database.sqlite import TABLES
from recollect.memory.database.sqlite.connect import APPLICATION, not_opened, translated
from recollect.memory.database.sqlite.database import Database
from recollect.memory.model.errors import (
    FormatError,
    StateDamagedError,
    StateError,
    StateUnwritableError,
)
from recollect.memory.model.format import FORMAT
from tests.support.folding import rows

UPGRADES = Path(__file__).parents[3] / "upgrade"


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


def tables_of(path: Path) -> tuple[object, ...]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        told = [connection.execute(f"PRAGMA {name}").fetchone() for name in NUMBERS]
    return tuple(value for (value,) in told)


NUMBERS = ("application_id", "user_version")


async def test_processes_that_open_a_new_file_at_once(tmp_path: Path) -> None:
    """A proxy and its workers may start together: one makes the tables, the others find them."""
    path = tmp_path / "state.db"
    opened = await asyncio.gather(*(Database.open(path, TABLES) for _ in range(8)))
    for database in opened:
        await database.close()
    assert tables_of(path) == (APPLICATION, FORMAT)


async def test_tables_that_cannot_be_made_leave_an_empty_file(tmp_path: Path) -> None:
    """Half of them are none: the next start makes them all."""
    path = tmp_path / "x.db"
    with pytest.raises(Exception, match="nowhere"):
        await Database.open(path, "CREATE TABLE t (x); INSERT INTO nowhere VALUES (1)")
    database = await Database.open(path, "CREATE TABLE t (x)")
    assert await database.run(lambda c: c.execute("SELECT * FROM t").fetchall()) == []
    await database.close()


@pytest.mark.parametrize("in_log", [False, True], ids=["in-the-file", "in-its-log-alone"])
@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("CREATE TABLE turns (x); PRAGMA user_version=17", "data without a format number"),
        ("CREATE TABLE anything (x)", "data without a format number"),
        (f"PRAGMA application_id={APPLICATION}; CREATE TABLE turns (x); PRAGMA user_version=3",
         "data of format 3"),
    ],
    ids=["earlier", "foreign", "later"],
)  # fmt: skip
async def test_a_file_of_another_format(
    tmp_path: Path, script: str, told: str, in_log: bool
) -> None:
    """It is refused in one sentence that says how to bring it over, and not changed."""
    path, closed = tmp_path / "state.db", tmp_path / "closed.db"
    source = sqlite3.connect(closed, isolation_level=None)
    source.executescript(f"PRAGMA journal_mode=WAL; {script}")
    if not in_log:
        source.close()
    for end in ("", "-wal"):
        if (left := closed.with_name(f"closed.db{end}")).exists():
            shutil.copyfile(left, path.with_name(f"state.db{end}"))
    source.close()
    before = {one.name: one.read_bytes() for one in tmp_path.glob("state.db*")}
    with pytest.raises(FormatError) as refused:
        await Database.open(path, TABLES)
    assert str(refused.value) == (
        f"{path} has {told}, and this version reads format {FORMAT}: export it with the version or "
        "commit that wrote it (`recollect memories export FILE --all`), and import the file here "
        "into a new place (`recollect memories import FILE`); nothing was changed"
    )
    after = {one.name: one.read_bytes() for one in tmp_path.glob("state.db*")}
    assert {name: after[name] for name in before} == before


async def test_tables_and_indexes_of_a_later_version_are_made(tmp_path: Path) -> None:
    """A file of an earlier commit opens, keeps its rows, and has what a new file has."""
    with tarfile.open(UPGRADES / f"format-{FORMAT}" / "data.tar.xz") as packed:
        packed.extract("data/recollect.db", tmp_path, filter="data")
    path = tmp_path / "data" / "recollect.db"
    before = _read(path, "SELECT count(*) FROM turns")
    for name in (path, tmp_path / "new.db"):
        await (await Database.open(name, TABLES)).close()
    names = "SELECT name FROM sqlite_master ORDER BY name"
    assert _read(path, names) == _read(tmp_path / "new.db", names)
    assert _read(path, "SELECT count(*) FROM turns") == before
    pruned = (
        "EXPLAIN QUERY PLAN SELECT * FROM turns WHERE learned = 3 AND created_at < 9 AND erased = 0"
    )
    assert "turns_unread" in str(_read(path, pruned))


def _read(path: Path, sql: str) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()
