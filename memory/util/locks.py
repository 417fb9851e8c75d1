"""Locks on files that the system releases when a process ends, and who holds them."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows has no such locks
    fcntl = None  # type: ignore[assignment]

_TABLE = Path("/proc/locks")
_TAKEN = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES})
"""Of `flock`: another process has the lock. Other errors mean that there are no such locks here."""


@dataclass(frozen=True, slots=True)
class Look:
    """The condition of a file or folder."""

    path: Path
    holder: str | None = None
    """The process that uses it. It was not inspected then: unfinished writes are not damage."""
    damage: str | None = None
    """What is wrong with it."""


class Ownership:
    """A lock on ``<file>.lock`` that lasts until the process ends or calls `release`.

    The operating system releases the lock of a dead process at once, so a file that was left behind
    is no obstacle.
    """

    def __init__(self, descriptor: int | None, *, taken: bool = False) -> None:
        self._descriptor = descriptor
        self.taken = taken
        """Whether another process is the owner; False on systems without locks."""

    @classmethod
    def claim(cls, path: Path) -> Ownership:
        """Try to become the owner; never waits. Raises OSError if the file cannot be created."""
        if fcntl is None:
            return cls(None)
        descriptor = os.open(lock_of(path), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            return cls(None, taken=error.errno in _TAKEN)
        if os.fstat(descriptor).st_nlink == 0:
            # Its last owner has removed it meanwhile: whoever comes next would lock another file.
            os.close(descriptor)
            return cls.claim(path)
        return cls(descriptor)

    @property
    def sole(self) -> bool:
        """Whether this process is the owner."""
        return self._descriptor is not None

    @property
    def descriptor(self) -> int:
        """Of the lock's file, for a child that is to have the lock too; -1 without locks."""
        return -1 if self._descriptor is None else self._descriptor

    def note(self, text: str) -> None:
        """Write into the lock's file, for processes of this user that find it taken.

        The next owner finds it there too, and replaces it.
        """
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, 0)
                os.pwrite(self._descriptor, text.encode(), 0)

    def release(self) -> None:
        """Let another process become the owner."""
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None


def lock_of(path: Path) -> Path:
    """The file whose lock says who owns `path`."""
    return path.with_name(f"{path.name}.lock")


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
