"""Processes that share one log of changes, in one test."""

from __future__ import annotations

from itertools import count
from typing import Any

from recollect.memory.database.scripts import ScriptRunner
from recollect.memory.state.shared_log import Read, SharedLog

_numbers = count()


class Silent:
    """`OtherReaders` who never hear a word: they read when they are asked, or look by themselves."""

    def __init__(self) -> None:
        self.name = f"process {next(_numbers)}"

    def on_wake(self, read: Read) -> None:
        """Nobody wakes anybody."""

    def count(self) -> None:
        """The database counts."""

    def counted(self) -> None:
        return None

    async def wake(self) -> None:
        """Nobody hears it."""

    async def wait(self) -> None:
        """Nobody hears it."""


def log_over(scripts: ScriptRunner, *heard: Any) -> SharedLog:
    """The log as a new process reads it; these are told what others write."""
    log = SharedLog(scripts, Silent())
    log.elsewhere += heard
    return log
