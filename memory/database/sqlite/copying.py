"""Copies a database file while other processes write to it."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from ...model.errors import StateDamagedError, StateError
from .connect import damage_of, reading_uri, repaired_name

NOTED = ("graph_notes", "index_marks")
"""Not saved from a damaged file, nor kept in a backup: without notes the graph is read from the
memories again, and an index is filled with them, whatever became of them since."""
TRIES = 5
"""Times that a file is copied again because a process has begun to use it meanwhile."""


def copy_database(path: Path, target: Path) -> None:
    """Write what is committed at this moment, with what is only in the log, to a new file.

    The file itself and its log are left as they are; nobody waits for the copy.

    Raises:
        StateDamagedError: the file is damaged, or its repair was interrupted.
        StateError: it cannot be read, or the copy cannot be written.
    """
    if repaired_name(path).exists():
        raise StateDamagedError(f"the repair of {path} was interrupted: run `recollect repair`")
    try:
        _copy_undisturbed(path, target)
        damage = damage_of(f"{target.absolute().as_uri()}?mode=ro&immutable=1")
    except sqlite3.OperationalError as error:
        raise StateError(f"cannot copy {path} to {target}: {error}") from error
    except sqlite3.DatabaseError as error:
        damage = str(error)
    except OSError as error:
        raise StateError(f"cannot write {target}: {error}") from error
    if damage is not None:
        raise StateDamagedError(f"{path} is damaged ({damage}): see `recollect repair`")


def forget_notes(copy: Path) -> None:
    """Make whoever opens this copy read the memories again for the graph, and for an index.

    What they were told later is not in it. Raises StateError.
    """
    try:
        with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
            for table in NOTED:
                connection.execute(f"DELETE FROM {table}")  # noqa: S608 - constants
    except sqlite3.Error as error:
        raise StateError(f"cannot write {copy}: {error}") from error


def _copy_undisturbed(path: Path, target: Path) -> None:
    for _ in range(TRIES):
        uri, before = reading_uri(path), _stamp(path)
        _copy(uri, target)
        # Without a log it is read without locks: it must be the same file afterwards.
        if "immutable" not in uri or (reading_uri(path), _stamp(path)) == (uri, before):
            return
    raise StateError(f"{path} changes all the time: it is not used as a database should be")


def _copy(uri: str, target: Path) -> None:
    target.unlink(missing_ok=True)
    os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    with (
        contextlib.closing(sqlite3.connect(uri, uri=True)) as source,
        contextlib.closing(sqlite3.connect(target)) as copy,
    ):
        # In one step: with several, every commit of another process would begin it anew.
        source.backup(copy)


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size
