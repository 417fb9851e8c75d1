"""The disk of a crash run, which may take nothing for a while."""

from __future__ import annotations

import contextlib
import resource
from typing import Any

from tests.support.sqlite_io import CODES, Layer, failing_files, library

OPERATIONS = 20
"""Of SQLite that fail: so many tries of a turn or a job, and a moment for the store beside them."""
FULL_BYTES = 4096
"""No file of the store may grow beyond this, which is what a full disk does to every file."""


class Disk:
    """Made before anything is opened; SQLite's files are behind a layer that can fail them."""

    def __init__(self, fault: str) -> None:
        self.child: int | None = None
        """The embedded store's process, if there is one."""
        self._codes = CODES.get({"enospc": "full", "eio": "broken"}.get(fault, ""), {})
        self._left = 0
        self._layer: Layer | None = None
        sqlite = library()
        if self._codes and sqlite is not None:
            # Until the process ends.
            self._stack = contextlib.ExitStack()
            self._layer = self._stack.enter_context(failing_files(sqlite))
            self._layer.fail = self._operation
        self._full = fault == "enospc" or (fault == "eio" and sqlite is None)

    def fail(self) -> None:
        """From now on, for some operations."""
        self._left = OPERATIONS
        if self._full:
            self._limit(FULL_BYTES)

    def heal(self) -> None:
        """There is room again."""
        self._left = 0
        self._limit(resource.RLIM_INFINITY)

    def _operation(self, name: str) -> int:
        code = self._codes.get(name, 0)
        if code == 0 or self._left == 0:
            return 0
        self._left -= 1
        if self._left == 0:
            self.heal()
        return code

    def _limit(self, size: int) -> None:
        if self.child is not None and self._full:
            _, hard = resource.prlimit(self.child, resource.RLIMIT_FSIZE)
            resource.prlimit(self.child, resource.RLIMIT_FSIZE, (min_of(size, hard), hard))


def min_of(size: int, hard: int) -> int:
    """The limit, as far as it may be set."""
    return size if hard == resource.RLIM_INFINITY else min(size, hard)


def store_process(store: Any) -> int | None:
    """The process of an embedded store."""
    endpoint = getattr(getattr(store, "_connection", None), "endpoint", None)
    pid = getattr(endpoint, "pid", None)
    return pid if isinstance(pid, int) else None
