"""Tools over `/mcp`: no argument names a scope, and strangers are told nothing.

Calls with ids, labels and words of others are among those of test_credentials.py.
"""

from __future__ import annotations

import itertools
from typing import Any

from recollect.memory.tools.table import TOOLS
from tests.support.folding import rows

from .gateway import Gateway, clients

WORLDS = itertools.count(1)
SENT = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}


def rpc(method: str, **params: Any) -> dict[str, Any]:
    return {
        "json": {"jsonrpc": "2.0", "id": 1, "method": method, "params": params},
        "headers": SENT,
    }


async def test_no_argument_names_a_scope():
    """An id of a user in the arguments is refused, whichever tool it is."""
    async with Gateway(clients(next(WORLDS), ("alice", "Alice"))) as gateway:
        alice, other = gateway.people.scopes[:2]
        for tool, name in itertools.product(TOOLS, ("user_id", "agent_id", "tenant", "scope")):
            call = rpc("tools/call", name=tool.name, arguments={name: other.user_id})
            status, answer = await gateway.ask(alice, "POST", "/mcp?user_id=alice", **call)
            assert status in {200, 400}, answer
            if "result" in answer:
                assert answer["result"]["isError"]
                assert name in answer["result"]["content"][0]["text"]


@rows("key", [None, "wrong"])
async def test_a_stranger_is_told_nothing(key):
    """Neither a tool's name nor that there is a user."""
    async with Gateway(clients(next(WORLDS), ("alice", "Alice"))) as gateway:
        alice = gateway.people.scopes[0]
        status, answer = await gateway.ask(
            alice, "POST", "/mcp?user_id=alice", key=key, **rpc("tools/list")
        )
        assert status == 401
        assert not any(tool.name in str(answer) for tool in TOOLS)
