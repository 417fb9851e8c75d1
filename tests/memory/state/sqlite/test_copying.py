"""Copies of database files, in use or not."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from recollect.memory.database.sqlite import copying
from recollect.memory.database.sqlite.connect import connect, repaired_name
from recollect.memory.database.sqlite.copying import copy_database
from recollect.memory.model.errors import StateDamagedError, StateError
from recollect.memory.model.format import FORMAT

TABLE = "CREATE TABLE t (x)"


def rows(path: Path) -> list[int]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return [x for (x,) in connection.execute("SELECT x FROM t ORDER BY x")]


@pytest.fixture
def path(tmp_path):
    """A file with one row, which nobody uses."""
    with contextlib.closing(connect(tmp_path / "a.db", TABLE, "full")) as connection:
        connection.execute("INSERT INTO t VALUES (1)")
    return tmp_path / "a.db"


def test_what_is_only_in_the_log_is_copied(path, tmp_path):
    """While another connection has the file open, and without what it has not committed."""
    with contextlib.closing(connect(path, TABLE, "full")) as used:
        used.execute("INSERT INTO t VALUES (2)")
        used.execute("BEGIN")
        used.execute("INSERT INTO t VALUES (3)")
        copy_database(path, tmp_path / "copy.db")
        used.execute("COMMIT")
    assert rows(tmp_path / "copy.db") == [1, 2]
    assert rows(path) == [1, 2, 3]
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600


def test_a_file_that_nobody_uses_is_left_as_it_is(path, tmp_path):
    """Nothing is created beside it; the schema's number comes along."""
    before = path.read_bytes()
    copy_database(path, tmp_path / "copy.db")
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.db", "copy.db"]
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("PRAGMA user_version").fetchone() == (FORMAT,)


def test_a_process_that_begins_meanwhile(path, tmp_path, monkeypatch):
    """A file that was read without locks and has changed is copied again."""
    copied = []

    def disturbed(uri: str, target: Path) -> None:
        copied.append(uri)
        _copy(uri, target)
        if len(copied) == 1:
            with contextlib.closing(connect(path, TABLE, "full")) as other:
                other.execute("INSERT INTO t VALUES (2)")

    _copy = copying._copy
    monkeypatch.setattr(copying, "_copy", disturbed)
    copy_database(path, tmp_path / "copy.db")
    assert len(copied) == 2
    assert rows(tmp_path / "copy.db") == [1, 2]


def test_a_damaged_file(tmp_path):
    """It is no database, its pages are broken, or its repair was interrupted."""
    path = tmp_path / "a.db"
    path.write_bytes(b"no database " * 500)
    with pytest.raises(StateDamagedError, match="recollect repair"):
        copy_database(path, tmp_path / "copy.db")
    repaired_name(path).touch()
    with pytest.raises(StateDamagedError, match="was interrupted"):
        copy_database(path, tmp_path / "copy.db")


def test_a_place_that_cannot_be_written(path, tmp_path):
    """The error names it."""
    with pytest.raises(StateError, match=r"no/copy\.db"):
        copy_database(path, tmp_path / "no" / "copy.db")
