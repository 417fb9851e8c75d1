"""Finds the process that uses a file, as far as the system tells. Changes nothing."""

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
    """The condition of a file or folder."""

    path: Path
    holder: str | None = None
    """The process that uses it. It was not inspected then: unfinished writes are not damage."""
    damage: str | None = None
    """What is wrong with it."""


def flock_holder(path: Path) -> str | None:
    """The process that locks the whole file, such as ``process 4711``; None if there is none."""
    return _holder(path, lambda descriptor: fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB))


def byte_holder(path: Path, byte: int) -> str | None:
    """The process that locks this byte of the file; None if there is none but this one.

    The check releases this process's own locks on the file.
    """
    return _holder(
        path, lambda descriptor: fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
    )


def named(path: Path) -> str:
    """The process that holds a lock on the file (``proc_locks(5)``, Linux only)."""
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
