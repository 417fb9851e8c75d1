"""Who uses a file, as far as the system tells, and how it is then. Changes nothing."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows has no such locks
    fcntl = None  # type: ignore[assignment]

_TABLE = Path("/proc/locks")


@dataclass(frozen=True, slots=True)
class Look:
    """How a file or a folder is."""

    path: Path
    holder: str | None = None
    """Who uses it; then it was not looked at: what is being written is not damage."""
    damage: str | None = None
    """What is wrong with it."""


def flock_holder(path: Path) -> str | None:
    """Who holds the file as a whole, such as ``process 4711``; None if nobody does."""
    return _holder(path, lambda descriptor: fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB))


def byte_holder(path: Path, byte: int) -> str | None:
    """Who holds this byte of the file; None if nobody does, or only this process.

    This process's own locks on the file are given up by the question.
    """
    return _holder(
        path, lambda descriptor: fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
    )


def named(path: Path) -> str:
    """The process that has a lock on the file (``proc_locks(5)``, Linux only)."""
    with contextlib.suppress(OSError):
        inode = path.stat().st_ino
        for line in _TABLE.read_text().splitlines():
            with contextlib.suppress(ValueError, IndexError):
                pid, place = line.split()[-4:-2]
                if int(place.rpartition(":")[2]) == inode and int(pid) > 0:
                    return f"process {pid}"
    return "another process"


def _holder(path: Path, lock: Callable[[int], None]) -> str | None:
    if fcntl is None or not path.exists():
        return None
    descriptor = os.open(path, os.O_RDWR)
    try:
        lock(descriptor)
    except OSError:
        return named(path)
    finally:
        os.close(descriptor)
    return None
