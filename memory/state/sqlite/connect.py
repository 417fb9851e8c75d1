"""Opening a SQLite file: its settings and its schema. A damaged one stays as it is."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from ...errors import StateError
from .refusals import damaged

Synchronous = Literal["normal", "full"]

BUSY_TIMEOUT_MS = 5_000
"""How long another process's write lock is waited for, instead of "database is locked"."""

_SECURE_DELETE = "PRAGMA secure_delete=ON"
"""Rows that go are overwritten: what was forgotten is not found in the file's free pages."""


def connect(path: Path, migrations: Sequence[str], synchronous: Synchronous) -> sqlite3.Connection:
    """A connection to a sound file, made if it is not there, with the current schema.

    Raises:
        StateDamagedError: it is damaged, or its repair was interrupted; nothing was changed.
        StateError: a newer version wrote it.
        OSError, sqlite3.Error: it cannot be opened.
    """
    if repaired_name(path).exists():
        raise damaged(
            f"the repair of {path} was interrupted: run `recollect repair` to finish it", path.name
        )
    try:
        return _connect(path, migrations, synchronous)
    except sqlite3.DatabaseError as error:
        # OperationalError (locked, disk full, no permission) says nothing about the file itself.
        if isinstance(error, sqlite3.OperationalError):
            raise
        raise damaged(
            f"{path} is damaged ({error}); nothing was changed. Stop whatever uses it and run "
            "`recollect repair`, or restore a copy",
            path.name,
        ) from error


def repaired_name(path: Path) -> Path:
    """Where a repair puts the new file, whole, before it takes the damaged one's place."""
    return path.with_name(f"{path.name}.repaired")


def _connect(path: Path, migrations: Sequence[str], synchronous: Synchronous) -> sqlite3.Connection:
    # Before SQLite does: its log and index files get the permissions that this one has.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        _use_log(connection)
        connection.execute(f"PRAGMA synchronous={synchronous}")
        connection.execute(_SECURE_DELETE)
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(" ".join(str(verdict).split()))
        _migrate(connection, path, migrations)
    except BaseException:
        _close_untouched(connection, path)
        raise
    return connection


def _close_untouched(connection: sqlite3.Connection, path: Path) -> None:
    """Close it without copying its log into it, as SQLite does when the last one closes.

    What a damaged file's log holds is all that may be left of the latest turns.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(sqlite3.Error):
            # One that only reads can not copy, and while it is open the other is not the last.
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
            # The one statement that does not wait for others that open a new file with us.
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)
        else:
            return


def connect_direct(path: Path) -> sqlite3.Connection:
    """A second connection that neither waits for the first nor ever syncs."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0)
    connection.execute("PRAGMA synchronous=normal")
    connection.execute("PRAGMA wal_autocheckpoint=0")
    connection.execute(_SECURE_DELETE)
    return connection


def _migrate(connection: sqlite3.Connection, path: Path, migrations: Sequence[str]) -> None:
    # The version is read under the lock: two processes may open an old file at the same time.
    connection.execute("BEGIN IMMEDIATE")
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > len(migrations):
            raise StateError(
                f"{path} was written by a newer version of Recollect (schema {version}, "
                f"this one knows {len(migrations)}): upgrade Recollect or use another data_dir"
            )
        if version == len(migrations):
            # Nothing is written, so that a full disk does not keep a file from being opened.
            connection.execute("ROLLBACK")
            return
        for statement in _statements("".join(f"{script};" for script in migrations[version:])):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version={len(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        # What a full disk refused was rolled back by SQLite itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for part in script.split(";"):
        statement += f"{part};"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
