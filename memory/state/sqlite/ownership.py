"""Detects whether another living process uses a file.

Without it, jobs of a killed process would wait until their leases end, which takes as long as the
slowest honest job. The operating system releases the lock of a dead process at once.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows: leases simply run out
    fcntl = None  # type: ignore[assignment]


class Ownership:
    """A lock on ``<file>.lock`` that lasts until the process ends or calls `release`."""

    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor

    @classmethod
    def claim(cls, path: Path) -> Ownership:
        """Try to become the owner; never waits."""
        if fcntl is None:
            return cls(None)
        descriptor = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return cls(None)
        return cls(descriptor)

    @property
    def sole(self) -> bool:
        """Whether this process is the owner."""
        return self._descriptor is not None

    def release(self) -> None:
        """Let another process become the owner."""
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None
