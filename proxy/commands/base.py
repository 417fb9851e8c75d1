"""The protocol of the command modules."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from recollect.config import Settings

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - argparse has no public name for it


class Command(Protocol):
    """A module of `recollect.proxy.commands`."""

    def add_parser(self, commands: Commands, shared: argparse.ArgumentParser) -> None:
        """Register the command with its arguments.

        `shared` is a parent parser: ``--config``, ``--data-dir``.
        """

    def run(self, settings: Settings, options: argparse.Namespace) -> int:
        """Run the command; returns the exit status."""
