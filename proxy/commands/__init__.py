"""What `recollect` can do: one module a command.

Each has ``add_parser(commands, shared)``, which registers the command and its arguments, and
``run(settings, options)``, which does it and returns the exit status: 0 if it did what it should, 1
if it could not, 2 for a wrong call. A new command is a module and a line below. Modules import on
top only what every command needs: `recollect health` runs every few seconds in a container.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..commands import (
    calibrate,
    check,
    explain,
    health,
    jobs,
    models,
    reindex,
    repair,
    serve,
    worker,
)
from .base import Command

COMMANDS: Mapping[str, Command] = {
    "serve": serve,
    "worker": worker,
    "check": check,
    "explain": explain,
    "calibrate": calibrate,
    "reindex": reindex,
    "repair": repair,
    "jobs": jobs,
    "health": health,
    "models": models,
}
"""By the name they are called by, in the order `recollect --help` tells them."""

__all__ = ["COMMANDS"]
