"""The commands of `recollect`: those of the table of operations in `parts`, others a module each.

Each has ``fill(parser)``, which adds its arguments, and ``run(settings, options)``, which runs it
and returns the exit status: 0 for success, 1 for failure, 2 for a wrong call. What it raises is
told by `refusals`. A new command needs a module and a line below. A call imports the module of its
command only: `recollect health` runs every few seconds in a container.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import cast

from .base import Command

HELP: Mapping[str, str] = {
    "serve": "run the proxy",
    "worker": "learn in a separate process (needs PostgreSQL and learn.llm)",
    "check": "test every part, say how to fix failures",
    "memories": "list, search, add, change, erase, validate, export memories",
    "upkeep": "merge, sum up and archive memories now; see what was done, take it back",
    "procedures": "list how tasks are done, let agents be told, say how it went",
    "blocks": "list, define, write and delete working blocks",
    "shares": "show memories to other scopes, and list which are",
    "users": "list users, agents and runs with their numbers of memories",
    "graph": "list who and what memories speak of, join and part them, check and rebuild",
    "topics": "list which memories of a scope belong together",
    "import": "keep what was said in chats with ChatGPT, Claude or Gemini",
    "conversations": "list, read, search and erase what was said in chats",
    "mcp": "serve MCP on standard input and output, for a client that starts it",
    "chat": "talk to the model, and see what was recalled",
    "tools": "show the tools that agents use memory with",
    "explain": "show which memories a message would get, and why",
    "whatif": "ask the model with and without each memory; costs real requests",
    "stats": "show what memory took and gave, by day (UTC)",
    "calibrate": "measure thresholds for the embedder on labelled pairs",
    "reindex": "re-embed every memory with the configured embedder",
    "repair": "replace a damaged database, keeping the damaged file",
    "backup": "copy everything that is kept into a folder, of a running Recollect too",
    "restore": "put a backup into an empty data_dir",
    "audit": "export what memory did, say whether an event is missing",
    "jobs": "list learning jobs, retry dead ones",
    "tokens": "admin tokens of the memory API",
    "health": "check that a proxy is running",
    "models": "fetch the embedding model",
    "packs": "check language files",
}
"""What each command does, in the order of `recollect --help`."""
_OF_THE_TABLE = {
    "blocks", "conversations", "explain", "graph", "procedures", "shares", "stats", "topics",
    "upkeep", "users",
}  # fmt: skip


_MODULES = {"import": "earlier_chats"}
"""Of commands that no module can be called by."""


class _Commands(Mapping[str, Command]):
    """The commands by name; a module is imported once it is asked for."""

    def __getitem__(self, name: str) -> Command:
        if name in _OF_THE_TABLE:
            from .parts import PARTS

            return PARTS[name]
        if name not in HELP:
            raise KeyError(name)
        return cast("Command", import_module(f"{__name__}.{_MODULES.get(name, name)}"))

    def __iter__(self) -> Iterator[str]:
        return iter(HELP)

    def __len__(self) -> int:
        return len(HELP)


COMMANDS: Mapping[str, Command] = _Commands()

__all__ = ["COMMANDS", "HELP"]
