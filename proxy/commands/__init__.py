"""The commands of `recollect`, one module each.

Each module has ``add_parser(commands, shared)``, which registers the command and its arguments, and
``run(settings, options)``, which runs it and returns the exit status: 0 for success, 1 for failure,
2 for a wrong call. A new command needs a module and a line below. At the top, modules import only
what every command needs: `recollect health` runs every few seconds in a container.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..commands import (
    backup,
    blocks,
    calibrate,
    chat,
    check,
    completion,
    conversations,
    explain,
    graph,
    health,
    jobs,
    mcp,
    memories,
    models,
    packs,
    procedures,
    reindex,
    repair,
    restore,
    serve,
    shares,
    stats,
    tokens,
    tools,
    topics,
    upkeep,
    users,
    whatif,
    worker,
)
from .base import Command

COMMANDS: Mapping[str, Command] = {
    "serve": serve,
    "worker": worker,
    "check": check,
    "memories": memories,
    "upkeep": upkeep,
    "procedures": procedures,
    "blocks": blocks,
    "shares": shares,
    "users": users,
    "graph": graph,
    "topics": topics,
    "conversations": conversations,
    "mcp": mcp,
    "chat": chat,
    "tools": tools,
    "explain": explain,
    "whatif": whatif,
    "stats": stats,
    "calibrate": calibrate,
    "reindex": reindex,
    "repair": repair,
    "backup": backup,
    "restore": restore,
    "jobs": jobs,
    "tokens": tokens,
    "health": health,
    "models": models,
    "packs": packs,
    "completion": completion,
}
"""The commands by name, in the order of `recollect --help`."""

__all__ = ["COMMANDS"]
