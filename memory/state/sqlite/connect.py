"""Opening a SQLite file: its settings, its schema, and what becomes of a damaged one."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from ...errors import StateError
from .ownership import Ownership

log = logging.getLogger(__name__)

Synchronous = Literal["normal", "full"]

BUSY_TIMEOUT_MS = 5_000
"""How long another process's write lock is waited for, instead of "database is locked"."""

_SECURE_DELETE = "PRAGMA secure_delete=ON"
"""Rows that go are overwritten: what was forgotten is not found in the file's free pages."""


def connect_or_set_aside(
    path: Path, migrations: Sequence[str], synchronous: Synchronous, *, repair: bool
) -> tuple[sqlite3.Connection, Path | None]:
    """A connection to a sound file with the current schema, and where a damaged one went.

    Raises:
        StateError: it is damaged, and it is not for us to `repair`, or another process is at work
            on it; nothing was changed.
    """
    try:
        return _connect(path, migrations, synchronous), None
    except sqlite3.DatabaseError as error:
        # OperationalError (locked, disk full, no permission) says nothing about the file itself.
        if isinstance(error, sqlite3.OperationalError):
            raise
        if not (repair and _is_ours_alone(path)):
            raise StateError(
                f"{path} is damaged ({error}); nothing was changed. Stop whatever uses it and "
                "restore a copy, or start `recollect serve`: it keeps the damaged file beside "
                "a new one and names it"
            ) from error
        aside = _set_aside(path)
        log.error("%s is damaged (%s): set aside as %s, starting empty", path, error, aside)  # noqa: TRY400 - the reason is in the line
        return _connect(path, migrations, synchronous), aside


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
            raise sqlite3.DatabaseError(verdict)
        _migrate(connection, path, migrations)
    except BaseException:
        connection.close()
        raise
    return connection


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
        for statement in _statements("".join(f"{script};" for script in migrations[version:])):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version={len(migrations)}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for part in script.split(";"):
        statement += f"{part};"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _is_ours_alone(path: Path) -> bool:
    owner = Ownership.claim(path)
    try:
        return owner.sole
    finally:
        owner.release()


def _set_aside(path: Path) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    aside = path.with_name(f"{path.name}.corrupt-{stamp}")
    for suffix in ("-wal", "-shm", ""):
        companion = path.with_name(path.name + suffix)
        if companion.exists():
            companion.rename(aside.with_name(aside.name + suffix))
    return aside
