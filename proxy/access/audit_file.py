"""A file of lines that grows at its end only, and is set aside when it is large."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from recollect.memory.util.disk import MadeOnce

MAX_BYTES = 10 * 2**20
KEPT = 5
"""Files: the one that is written, and older ones as `NAME.1` to `NAME.4`."""


class AuditFile:
    """Appends lines and forces them to the disk. For one thread; opened by the first `append`."""

    def __init__(self, path: Path, *, max_bytes: int = MAX_BYTES) -> None:
        self.path = path
        self._folder = MadeOnce(path.parent)
        self._max_bytes = max_bytes
        self._descriptor: int | None = None
        self._waiting = bytearray()
        self._torn = False

    @property
    def waiting(self) -> int:
        """Lines that could not be written yet."""
        return self._waiting.count(b"\n")

    def append(self, line: bytes = b"") -> None:
        """Write what waits and then the line; without a line, only make sure that one can be.

        What fails to be written waits for the next call. A file that somebody moved or removed is
        made again, but not its folder.

        Raises:
            OSError: the file cannot be opened or written, or its folder is gone.
        """
        self._waiting += line
        descriptor = self._opened()
        if not self._torn and self._is_full(descriptor):
            self._set_aside()
            descriptor = self._opened()
        if not self._waiting:
            return
        self._write(descriptor)
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.fsync(descriptor)

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _opened(self) -> int:
        if self._descriptor is not None and self._is_current(self._descriptor):
            return self._descriptor
        self.close()
        self._folder.make()
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        self._descriptor = os.open(self.path, flags, 0o600)
        return self._descriptor

    def _is_current(self, descriptor: int) -> bool:
        try:
            named = self.path.stat()
        except FileNotFoundError:
            return False
        return os.path.samestat(named, os.fstat(descriptor))

    def _is_full(self, descriptor: int) -> bool:
        """Whether the file has to be set aside first; a pipe or a terminal never has."""
        found = os.fstat(descriptor)
        full = found.st_size > 0 and found.st_size + len(self._waiting) > self._max_bytes
        return full and stat.S_ISREG(found.st_mode)

    def _set_aside(self) -> None:
        self.close()
        for number in range(KEPT - 1, 0, -1):
            older = self._numbered(number - 1) if number > 1 else self.path
            if older.exists():
                older.replace(self._numbered(number))

    def _numbered(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}")

    def _write(self, descriptor: int) -> None:
        """A full disk may take half of a line: the rest follows in the same file."""
        while self._waiting:
            written = os.write(descriptor, self._waiting)
            self._torn = written < len(self._waiting) and self._waiting[written - 1] != ord("\n")
            del self._waiting[:written]
