"""The commands of `recollect`, one module each.

Each module has ``add_parser(commands, shared)``, which registers the command and its arguments, and
``run(settings, options)``, which runs it and returns the exit status: 0 for success, 1 for failure,
2 for a wrong call. A new command needs a module and its name below. A call imports the module of
its command only, and that at its top what every call needs: `recollect health` runs every few
seconds in a container.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import cast

from .base import Command

_NAMES = (
    "serve",
    "worker",
    "check",
    "memories",
    "upkeep",
    "procedures",
    "blocks",
    "shares",
    "users",
    "graph",
    "topics",
    "conversations",
    "mcp",
    "chat",
    "tools",
    "explain",
    "whatif",
    "stats",
    "calibrate",
    "reindex",
    "repair",
    "backup",
    "restore",
    "jobs",
    "tokens",
    "health",
    "models",
    "packs",
    "completion",
)
"""In the order of `recollect --help`."""


class _Commands(Mapping[str, Command]):
    """The commands by name; a module is imported once it is asked for."""

    def __getitem__(self, name: str) -> Command:
        if name not in _NAMES:
            raise KeyError(name)
        return cast("Command", import_module(f"{__name__}.{name}"))

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)


COMMANDS: Mapping[str, Command] = _Commands()

__all__ = ["COMMANDS"]
