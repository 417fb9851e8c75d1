"""Opens a SQLite file: its settings and its schema. A damaged file is not changed."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from ...model.errors import StateError
from .refusals import damaged

Synchronous = Literal["normal", "full"]

BUSY_TIMEOUT_MS = 5_000
"""How long to wait for another process's write lock before failing with "database is locked"."""

_SECURE_DELETE = "PRAGMA secure_delete=ON"
"""Deleted rows are overwritten: forgotten data does not stay in the file's free pages."""


def connect(path: Path, migrations: Sequence[str], synchronous: Synchronous) -> sqlite3.Connection:
    """Connect to a sound file with the current schema; creates it if it is missing.

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
    """Where a repair puts the complete new file before it replaces the damaged one."""
    return path.with_name(f"{path.name}.repaired")


def _connect(path: Path, migrations: Sequence[str], synchronous: Synchronous) -> sqlite3.Connection:
    # Created before SQLite does: its log and index files inherit these permissions.
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


def _migrate(connection: sqlite3.Connection, path: Path, migrations: Sequence[str]) -> None:
    # Read under the lock: two processes may open an old file at the same time.
    connection.execute("BEGIN IMMEDIATE")
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > len(migrations):
            raise StateError(
                f"{path} was written by a newer version of Recollect (schema {version}, "
                f"this one knows {len(migrations)}): upgrade Recollect or use another data_dir"
            )
        if version == len(migrations):
            # Nothing is written, so that the file can be opened on a full disk.
            connection.execute("ROLLBACK")
            return
        for statement in _statements("".join(f"{script};" for script in migrations[version:])):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version={len(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        # After an error such as a full disk, SQLite has already rolled back.
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
