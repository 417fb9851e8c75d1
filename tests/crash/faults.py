"""What befalls a run at its point."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path

from recollect.memory.util.clock import Clock as RealClock
from tests.support.sqlite_io import CODES, failing_files, library

DISK = {"enospc": "full", "eio": "broken"}
CLOCK = {"clock_forward": timedelta(hours=1), "clock_back": timedelta(hours=-1)}
MODEL = ("llm_500", "llm_timeout", "llm_garbage")
FAULTS = ("kill", *DISK, "outage", *CLOCK, *MODEL)
"""The disk takes nothing, or fails; the server of the database is killed and started again; the
clock is set; the model fails twice."""
OPERATIONS = 20
"""Of SQLite that fail."""


class Clock(RealClock):
    """Tells the time; may be set."""

    def __init__(self) -> None:
        self.offset = timedelta()

    def now(self) -> datetime:
        return super().now() + self.offset


class Disk:
    """Made before anything is opened: SQLite's files are behind a layer that can fail them."""

    def __init__(self, fault: str) -> None:
        self._codes = CODES[DISK[fault]] if fault in DISK else {}
        self._left = 0
        sqlite = library()
        if self._codes and sqlite is not None:
            self._layer = failing_files(sqlite)  # until the process ends
            self._layer.__enter__().fail = self._operation

    def fail(self) -> None:
        """From now on, for some operations."""
        self._left = OPERATIONS

    def heal(self) -> None:
        """There is room again."""
        self._left = 0

    def _operation(self, name: str) -> int:
        code = self._codes.get(name, 0)
        if code == 0 or self._left == 0:
            return 0
        self._left -= 1
        return code


def kill() -> None:
    """What an out-of-memory killer does."""
    os.kill(os.getpid(), signal.SIGKILL)


def fault_of(
    fault: str, clock: Clock, disk: Disk, signal_file: Path
) -> Callable[[], Awaitable[None] | None]:
    """Makes it happen."""
    if fault == "kill":
        return kill
    if fault in DISK:
        return disk.fail
    if fault in CLOCK:
        return lambda: setattr(clock, "offset", clock.offset + CLOCK[fault])

    async def tell_parent() -> None:
        signal_file.touch()
        while signal_file.exists():
            await asyncio.sleep(0.01)

    return tell_parent
