"""What SQLite's own errors become."""

import errno
import sqlite3
from pathlib import Path

import pytest

from recollect.memory.model.errors import StateDamagedError, StateError, StateUnwritableError
from recollect.memory.state.sqlite.refusals import not_opened, translated
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
