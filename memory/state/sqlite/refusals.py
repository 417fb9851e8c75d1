"""Translates SQLite's errors into ours. Pure."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

from ...model.errors import StateDamagedError, StateError, StateUnwritableError

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
