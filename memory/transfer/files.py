"""Files of exports: whole, or not there under their name."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from ..util.disk import force


class NewFile:
    """A file that gets its name once it is whole; only its owner can read it. Blocks."""

    def __init__(self, target: Path) -> None:
        """Raises OSError."""
        self._target = target
        self._made = target.with_name(f".{target.name}-{secrets.token_hex(4)}")
        descriptor = os.open(self._made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        self._file = os.fdopen(descriptor, "wb")
        self.size = self.lines = 0

    def write(self, data: bytes) -> None:
        """Add some lines. Raises OSError."""
        self._file.write(data)
        self.size += len(data)
        self.lines += data.count(b"\n")

    def finish(self) -> None:
        """Give the file its name; one that was there is replaced. Raises OSError."""
        self._file.close()
        force(self._made)
        self._made.replace(self._target)

    def discard(self) -> None:
        """Remove what was written."""
        with contextlib.suppress(OSError):
            self._file.close()
            self._made.unlink()
