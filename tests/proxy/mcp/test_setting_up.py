"""What docs/agents.md says to paste: each address and each command is one that is served."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from urllib.parse import urlsplit

from recollect.config.server import IdentityOptions
from recollect.memory.model.owner import Owner
from recollect.proxy.cli import command_line
from recollect.proxy.mcp.endpoint import MCP
from recollect.proxy.mcp.request_scope import scope_of

AGENTS = (Path(__file__).parents[3] / "docs" / "agents.md").read_text("utf-8")
PAGE = AGENTS.partition("\n### Set up a client\n")[2].partition("\n### ")[0]


def test_each_address_names_a_scope():
    """By the path and the query that the endpoint knows."""
    addresses = re.findall(r"http://127\.0\.0\.1:8787[^\s\"]+", PAGE)
    assert len(addresses) == 3
    for address in map(urlsplit, addresses):
        assert address.path == MCP
        scope = scope_of({}, address.query, IdentityOptions(), Owner("local"), on_loopback=True)
        assert scope.user_id == "ada"


def test_each_command_is_understood():
    """As a client starts it, in JSON or after a `--`."""
    blocks = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
    assert blocks
    servers = [server for block in blocks for part in block.values() for server in part.values()]
    commands = [server["args"] for server in servers if "command" in server]
    typed = [line.partition(" -- recollect ")[2] for line in PAGE.splitlines()]
    for arguments in [*commands, *(shlex.split(line) for line in typed if line)]:
        options = command_line().parse_args(arguments)
        assert (options.command, options.user) == ("mcp", "ada")
