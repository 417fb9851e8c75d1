"""Opens a SQLite file: its settings, its format and its tables. A damaged file is not changed.

Translates SQLite's errors into ours.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import struct
import time
from pathlib import Path
from typing import Literal

from ...model.errors import StateDamagedError, StateError, StateUnwritableError
from ...model.format import FORMAT, NONE, refuse_other
from ..tables import missing, statements

_ADVICE = {
    sqlite3.SQLITE_FULL: "make room on the disk of {name}: it goes on by itself",
    sqlite3.SQLITE_READONLY: "make {name} and its folder writable, and start Recollect again",
    sqlite3.SQLITE_CANTOPEN: "see that {name} and its folder are there, can be written, and that "
    "the process may open more files",
    sqlite3.SQLITE_IOERR: "make room on the disk of {name}, see its errors: it goes on by itself",
}
_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_READING = frozenset({sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ})
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})
_PRIMARY = 0xFF
"""The bits of an extended code that hold the primary code."""


def translated(error: BaseException, name: str) -> StateError:
    """The StateError for an error that SQLite raised while it used the file `name`."""
    code = getattr(error, "sqlite_errorcode", None)
    if isinstance(code, int) and code & _PRIMARY in _DAMAGE:
        return damaged(f"the state database {name} is damaged: {error}", name)
    if isinstance(code, int) and code not in _READING and code & _PRIMARY in _ADVICE:
        advice = _ADVICE[code & _PRIMARY].format(name=name)
        return StateUnwritableError(
            f"the state database {name} cannot be written: {error} "
            f"({getattr(error, 'sqlite_errorname', code)}); {advice}",
            advice,
        )
    return StateError(f"the state database refused: {error}")


def not_opened(error: OSError | sqlite3.Error, path: Path) -> StateError:
    """The error about a file that cannot be opened; a full disk is distinct from a wrong path."""
    code = getattr(error, "sqlite_errorcode", None)
    full = isinstance(error, OSError) and error.errno in _NO_ROOM
    # The file itself was opened by then: these codes are about the files that SQLite writes beside
    # it.
    if full or (isinstance(code, int) and code not in _READING and code & _PRIMARY in _ADVICE):
        advice = f"make room on the disk of {path.name}, see that its folder can be written, and "
        advice += "start Recollect again"
        return StateUnwritableError(f"cannot open {path}: {error}; {advice}", advice)
    return StateError(f"cannot open {path}: {error}")


def damaged(message: str, name: str) -> StateDamagedError:
    """The error about a damaged file, with the remedy."""
    advice = f"{name} is damaged and was left as it is: stop Recollect, run `recollect repair`"
    return StateDamagedError(message, advice)


Synchronous = Literal["normal", "full"]

BUSY_TIMEOUT_MS = 5_000
"""How long to wait for another process's write lock before failing with "database is locked"."""

APPLICATION = 0x5245434F
"""`PRAGMA application_id` of our files ("RECO"); their `user_version` is their format."""
_MOST_FORMAT = 1000
"""A number that no format of ours will have: it is part of a damage."""
_MAGIC = b"SQLite format 3\0"
_HEAD = struct.Struct(">16s44xI4xI")
"""The beginning of a file: what it is, its `user_version` and its `application_id`."""

_SECURE_DELETE = "PRAGMA secure_delete=ON"
"""Deleted rows are overwritten: forgotten data does not stay in the file's free pages."""


def connect(path: Path, tables: str, synchronous: Synchronous) -> sqlite3.Connection:
    """Connect to a sound file with these tables; creates it if it is missing.

    Raises:
        StateDamagedError: it is damaged, or its repair was interrupted; nothing was changed.
        FormatError: it is of another format; nothing was changed.
        OSError, sqlite3.Error: it cannot be opened.
    """
    if repaired_name(path).exists():
        raise damaged(
            f"the repair of {path} was interrupted: run `recollect repair` to finish it", path.name
        )
    try:
        return _connect(path, tables, synchronous)
    except sqlite3.DatabaseError as error:
        # OperationalError (locked, disk full, no permission) says nothing about the file itself.
        if isinstance(error, sqlite3.OperationalError):
            raise
        raise damaged(
            f"{path} is damaged ({error}); nothing was changed. Stop whatever uses it and run "
            "`recollect repair`, or restore a copy",
            path.name,
        ) from error


def reading_uri(path: Path) -> str:
    """How to open the file for reading alone, so that nothing is written or created beside it.

    Without a log no other process can be using the file: it is read without locks then.
    """
    log = path.with_name(f"{path.name}-wal")
    how = "mode=ro" if log.exists() else "mode=ro&immutable=1"
    return f"{path.absolute().as_uri()}?{how}"


def damage_of(uri: str) -> str | None:
    """What is damaged; None if it is sound. Raises sqlite3.OperationalError."""
    with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
        try:
            return _fault(connection)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            return str(error)


def _fault(connection: sqlite3.Connection) -> str | None:
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    return None if verdict == "ok" else " ".join(str(verdict).split())


def repaired_name(path: Path) -> Path:
    """Where a repair puts the complete new file before it replaces the damaged one."""
    return path.with_name(f"{path.name}.repaired")


def _connect(path: Path, tables: str, synchronous: Synchronous) -> sqlite3.Connection:
    refuse_other(str(path), format_noted(path))
    # Created before SQLite does: its log and index files inherit these permissions.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        _use_log(connection)
        connection.execute(f"PRAGMA synchronous={synchronous}")
        connection.execute(_SECURE_DELETE)
        if found := _fault(connection):
            raise sqlite3.DatabaseError(found)
        _make(connection, path, tables)
    except BaseException:
        _close_untouched(connection, path)
        raise
    return connection


def _close_untouched(connection: sqlite3.Connection, path: Path) -> None:
    """Close without copying the log into the file, as SQLite does when the last connection closes.

    The log of a damaged file may hold the only copy of the latest turns.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(sqlite3.Error):
            # A read-only connection cannot copy, and while it is open the other one is not the
            # last.
            reader = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
            stack.callback(reader.close)
            reader.execute("PRAGMA schema_version").fetchone()
        connection.close()


def _use_log(connection: sqlite3.Connection) -> None:
    end = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            # The only statement that does not wait while another process opens a new file.
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)
        else:
            return


def connect_direct(path: Path) -> sqlite3.Connection:
    """A second connection that never waits for the first and never syncs."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0)
    try:
        connection.execute("PRAGMA synchronous=normal")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute(_SECURE_DELETE)
    except BaseException:
        connection.close()
        raise
    return connection


def format_noted(path: Path) -> int:
    """The format that the file says of itself, without opening it as a database.

    What tells nothing, as a missing, a damaged or a new file does, counts as one of this version.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD.size)
    except OSError:  # whoever opens it tells it
        return FORMAT
    if len(head) < _HEAD.size:
        return FORMAT
    magic, number, ours = _HEAD.unpack(head)
    return _stated(ours, number) if magic == _MAGIC else FORMAT


def format_stated(connection: sqlite3.Connection) -> int:
    """The same of an open database, which may be damaged. Raises sqlite3.DatabaseError."""
    (ours,) = connection.execute("PRAGMA application_id").fetchone()
    (number,) = connection.execute("PRAGMA user_version").fetchone()
    return _stated(ours, number)


def _stated(ours: int, number: int) -> int:
    if number not in range(1, _MOST_FORMAT) or ours not in {0, APPLICATION}:
        return FORMAT
    return number if ours else NONE


def _make(connection: sqlite3.Connection, path: Path, tables: str) -> None:
    # Read under the lock: two processes may open a new file at the same time.
    connection.execute("BEGIN IMMEDIATE")
    try:
        refuse_other(str(path), format_stated(connection))
        (filled,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if filled:
            (ours,) = connection.execute("PRAGMA application_id").fetchone()
            refuse_other(str(path), FORMAT if ours == APPLICATION else NONE)
            rows = connection.execute("SELECT name FROM sqlite_master")
            added = missing(f"{tables};", {name for (name,) in rows})
            for statement in added:
                connection.execute(statement)
            # Else nothing is written, so that the file can be opened on a full disk.
            connection.execute("COMMIT" if added else "ROLLBACK")
            return
        for statement in statements(f"{tables};"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id={APPLICATION}")
        connection.execute(f"PRAGMA user_version={FORMAT}")
        connection.execute("COMMIT")
    except BaseException:
        # After an error such as a full disk, SQLite has already rolled back.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
