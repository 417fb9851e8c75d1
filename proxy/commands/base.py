"""The protocol of the commands, and what ends one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from recollect.config import Settings

    from .arguments import CommandLine


class Command(Protocol):
    """A command of `recollect`."""

    def fill(self, parser: CommandLine) -> None:
        """Add its arguments, and what it says of itself."""

    def run(self, settings: Settings, options: argparse.Namespace) -> int:
        """Run the command; returns the exit status. Raises what `refusals` tells."""


INTERRUPTED = 130
"""Exit status after Ctrl-C: 128 + SIGINT, as in shells."""
LINE = "line "
"""How the field of a file begins that is refused: no call is wrong by it."""
CANNOT_START = "cannot start: {}\nrun `recollect check` to see every part"


class CommandError(Exception):
    """Why a command ends; the message is told."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status
        """The exit status: 1 for a failure, 2 for a wrong call; `INTERRUPTED`."""
