"""The commands of `recollect` as a surface, as they ask the proxy that runs; with `--json`."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from typing import Any
from unittest.mock import patch

from recollect.proxy.cli import main
from tests.surfaces.place import token_of
from tests.surfaces.surface import IDS, Surface, refused

COMMANDS = {
    "add": ("memories", "add", "messages"),
    "search": ("memories", "search", "query"),
    "get_all": ("memories", "list"),
    "get": ("memories", "get", "memory_id"),
    "update": ("memories", "update", "memory_id", "text"),
    "delete": ("memories", "delete", "memory_id"),
    "forget": ("memories", "forget", "memory_id"),
    "history": ("memories", "history", "memory_id"),
    "inspect": ("memories", "inspect", "memory_id"),
    "validate": ("memories", "validate", "memory_id"),
    "restore": ("memories", "restore", "memory_id"),
    "invalidate": ("memories", "invalidate", "memory_id"),
    "revert": ("memories", "revert", "memory_id"),
    "settle": ("memories", "settle", "memory_id"),
    "conflicts": ("memories", "conflicts"),
    "profile": ("memories", "profile"),
    "said": ("memories", "said"),
    "export_file": ("memories", "export", "path"),
    "import_file": ("memories", "import", "path"),
    "explain": ("explain", "query"),
    "users": ("users",),
    "stats": ("stats",),
    "blocks.define": ("blocks", "define", "label"),
    "blocks.list": ("blocks", "list"),
    "blocks.get": ("blocks", "show", "label"),
    "blocks.history": ("blocks", "history", "label"),
    "blocks.append": ("blocks", "append", "label", "text"),
    "blocks.replace": ("blocks", "replace", "label", "old", "new"),
    "blocks.rewrite": ("blocks", "rewrite", "label", "value"),
    "blocks.delete": ("blocks", "delete", "label"),
    "blocks.compile": ("blocks", "compiled"),
    "conversations.list": ("conversations", "list"),
    "conversations.messages": ("conversations", "show", "conversation_id"),
    "conversations.search": ("conversations", "search", "query"),
    "conversations.erase": ("conversations", "erase", "conversation_id"),
    "upkeep.run": ("upkeep", "run", "kind"),
    "upkeep.list": ("upkeep", "list"),
    "upkeep.get": ("upkeep", "show", "name"),
    "upkeep.undo": ("upkeep", "undo", "name"),
    "graph.entities": ("graph", "entities"),
    "graph.relations": ("graph", "relations", "name"),
    "graph.merge": ("graph", "merge", "entity", "same_as"),
    "graph.merges": ("graph", "merges"),
    "graph.undo": ("graph", "undo", "merge_id"),
    "graph.rebuild": ("graph", "rebuild"),
    "graph.check": ("graph", "check"),
    "graph.export_file": ("graph", "export", "path"),
    "topics.graph": ("topics",),
}
"""The words of a command, then the arguments of the library that stand behind them."""
ARGUMENTS = {"messages", "query", "memory_id", "text", "path", "label", "old", "new", "value"} | {
    *("conversation_id", "kind", "name", "entity", "same_as", "merge_id")
}
BY_ID = {
    "get",
    "inspect",
    "update",
    "delete",
    "forget",
    "history",
    "validate",
    "restore",
    "invalidate",
} | {*("revert", "settle", "upkeep.get", "upkeep.undo", "users", "stats")}
"""Their commands take no scope."""
LISTS = {"add", "search", "get_all", "conflicts", "profile", "said", "users"} | {
    *("blocks.list", "blocks.history", "conversations.list", "conversations.messages"),
    *("conversations.search", "upkeep.run", "upkeep.list", "graph.entities", "graph.merges"),
    *("graph.relations", "topics.graph"),
}
"""What they show is one JSON object per line."""
SURE = {"forget", "conversations.erase"}
"""They ask a person."""
PLAIN = {"blocks.compile", "export_file", "import_file", "graph.export_file"}
"""They show no JSON."""
OPTIONS = {"user_id": "user", "agent_id": "agent", "run_id": "run"}
SAID = {
    "add": {"infer"},
    "search": {"limit"},
    "get_all": {"limit"},
    "said": {"limit"},
    "invalidate": {"reason", "valid_to"},
    "blocks.define": {"value", "description", "limit"},
    "blocks.compile": {"message"},
    "blocks.append": {"version"},
    "blocks.replace": {"version"},
    "blocks.rewrite": {"version"},
    "conversations.list": {"limit", "cursor"},
    "upkeep.run": {"wait"},
    "upkeep.list": {"limit", "offset"},
    "graph.entities": {"limit"},
    "topics.graph": {"limit"},
}
"""Options with values that the API, and not the parser, looks at."""
NOT = {"vectors": ["--no-vectors"], "assistant": ["--no-assistant"]}
REFUSES = " says: "


class Cli(Surface):
    name = "cli"
    OPERATIONS = frozenset(COMMANDS)

    def run(self, operation: str, /, **arguments: Any) -> Any:
        arguments.setdefault("infer", False) if operation == "add" else None
        status, out, err = self.command(*self.line(operation, **arguments))
        if REFUSES in err or status == 2 or (status and operation not in LISTS):
            told = err.partition(REFUSES)[2] or err.rpartition("recollect: ")[2]
            raise refused(told.strip())
        if operation in PLAIN:
            return out
        values = _values(out)
        return {"results": values} if operation in LISTS else values[0]

    def unsayable(self, operation: str, asked: Mapping[str, Any]) -> bool:
        """All words are texts, choices are the parser's, and not every argument has an option."""
        placed = [asked[name] for name in (*COMMANDS[operation], *IDS) if name in asked]
        if any(not isinstance(value, str) for value in placed) or asked.get("kind") == "learn":
            return True
        return not SAID.get(operation, frozenset()) >= asked.keys() - set(IDS) - {
            *COMMANDS[operation]
        }

    def line(self, operation: str, /, **arguments: Any) -> list[str]:
        """The words of the command."""
        words = COMMANDS[operation]
        line = [word for word in words if word not in ARGUMENTS]
        placed = [word for word in words if word in ARGUMENTS]
        if operation in BY_ID:
            arguments = {name: value for name, value in arguments.items() if name not in IDS}
        options = {name: value for name, value in arguments.items() if name not in placed}
        for name, value in options.items():
            flag = "--" + OPTIONS.get(name, name).replace("_", "-")
            if isinstance(value, (list, tuple)):
                line += [flag, *map(str, value)]
            elif isinstance(value, bool):
                line += [flag] if value else NOT.get(name, [])
            else:
                said = json.dumps(value) if isinstance(value, dict) else value
                line.append(f"{flag}={said}")
        line += ["--tenant", self.tenant]
        line += [] if operation in PLAIN else ["--json"]
        line += ["--yes"] if operation in SURE else []
        behind = [str(arguments[name]) for name in placed]
        return [*line, "--", *behind] if behind else line

    def command(self, *line: str) -> tuple[int, str, str]:
        """Exit status, output and messages of a command, with settings that name the proxy."""
        environ = {
            "RECOLLECT_LISTEN__PORT": str(self.place.port),
            "RECOLLECT_IDENTITY__MODE": "gateway",
            "RECOLLECT_IDENTITY__TENANTS": json.dumps({self.tenant: token_of(self.tenant)}),
            "RECOLLECT_INDEX__BACKEND": "exact",
            "RECOLLECT_EMBEDDER__BACKEND": "fake",
            "RECOLLECT_DATA_DIR": str(self.place.folder / "command"),
            "COLUMNS": "200",
        }
        out, err = io.StringIO(), io.StringIO()
        with patch.dict(os.environ, environ), redirect_stdout(out), redirect_stderr(err):
            try:
                status = main(list(line))
            except SystemExit as end:
                status = int(end.code or 0)
        return status, out.getvalue(), err.getvalue()


def _values(shown: str) -> list[Any]:
    """The JSON values that are shown one after the other."""
    values, decoder, rest = [], json.JSONDecoder(), shown.strip()
    while rest:
        value, end = decoder.raw_decode(rest)
        values.append(value)
        rest = rest[end:].lstrip()
    return values
