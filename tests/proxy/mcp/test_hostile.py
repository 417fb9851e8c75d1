"""Messages that no client sends: each is refused or answered, and none is a defect of ours."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import subprocess
import sys
from pathlib import Path

import pytest
from aiohttp import ClientSession

from recollect.memory.tools.table import TOOLS
from tests.support.budget import examples
from tests.support.nasty import TEXTS

from .serving import serving

NASTY = tuple(TEXTS.values())
METHODS = (
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "resources/subscribe",
    "prompts/list",
    "logging/setLevel",
    "completion/complete",
    "server/discover",
    "subscriptions/listen",
    "notifications/cancelled",
    "notifications/initialized",
    "nope",
    "",
)
VERSIONS = (None, "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "x", "é")
AT_ONCE = 8


def anything(rng: random.Random, depth: int = 0) -> object:
    """A JSON value: mostly texts that have hurt somebody before."""
    kind = rng.randrange(8 if depth < 3 else 5)
    if kind < 3:
        return rng.choice(NASTY)
    if kind < 5:
        return rng.choice((None, True, 0, -1, 2**63, 1.5, 10**400, ""))
    if kind < 6:
        return [anything(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {str(rng.choice(NASTY)): anything(rng, depth + 1) for _ in range(rng.randrange(4))}


def message(rng: random.Random) -> object:
    """A message in which some members are as they should be."""
    made = {
        "jsonrpc": "2.0" if rng.random() < 0.9 else anything(rng),
        "id": rng.randrange(100) if rng.random() < 0.8 else anything(rng),
        "method": rng.choice(METHODS) if rng.random() < 0.9 else anything(rng),
        "params": params(rng) if rng.random() < 0.8 else anything(rng),
    }
    for name in list(made):
        if rng.random() < 0.1:
            del made[name]
    return made if rng.random() < 0.95 else [made]


def params(rng: random.Random) -> dict[str, object]:
    tool = rng.choice(TOOLS)
    named = {name: anything(rng) for name in tool.arguments.model_fields}
    return (
        {
            "name": tool.name if rng.random() < 0.9 else anything(rng),
            "arguments": named if rng.random() < 0.8 else anything(rng),
            "uri": rng.choice(("recollect://profile", "recollect://blocks/x", anything(rng))),
            "requestId": anything(rng),
            "cursor": anything(rng),
            "protocolVersion": rng.choice(VERSIONS),
            "capabilities": anything(rng),
            "clientInfo": anything(rng),
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": rng.choice(VERSIONS),
                "io.modelcontextprotocol/clientCapabilities": anything(rng),
                "progressToken": anything(rng),
            },
        }
        if rng.random() < 0.7
        else {"name": tool.name, "arguments": named}
    )


def headers(rng: random.Random) -> dict[str, str]:
    found = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    version = rng.choice(VERSIONS)
    if version is not None:
        found["MCP-Protocol-Version"] = version
    if rng.random() < 0.5:
        found["Mcp-Method"] = rng.choice(METHODS)
        found["Mcp-Name"] = rng.choice([tool.name for tool in TOOLS])
    if rng.random() < 0.3:
        found["Mcp-Session-Id"] = "s" * rng.randrange(1, 200)
    return found


async def test_whatever_is_sent_is_answered(tmp_path, caplog):
    """No 500 and no defect in the log, in any version; then an ordinary call works."""
    rng = random.Random(41)
    async with serving(
        tmp_path, tools__names=[tool.name for tool in TOOLS], learn__enabled=False
    ) as proxy:
        url = f"{proxy.base}/mcp?user_id=ada"
        async with ClientSession() as http:

            async def ask(body: bytes, sent: dict[str, str]) -> None:
                async with http.post(url, data=body, headers=sent) as answer:
                    text = await answer.text()
                    assert answer.status < 500, (body, text)
                    assert "internal error" not in text, (body, text)
                    if text:
                        assert json.loads(text)["jsonrpc"] == "2.0"

            for _ in range(examples(60)):
                await asyncio.gather(
                    *(ask(json.dumps(message(rng)).encode(), headers(rng)) for _ in range(AT_ONCE))
                )
        async with proxy.client("?user_id=ada") as client:
            assert (await client.list_tools()).tools
        assert not len(proxy.endpoint._calls)
    wrong = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert wrong == []


@pytest.mark.process
def test_a_proxy_without_use_does_not_load_the_library():
    """It takes a second and tens of megabytes."""
    program = "import recollect.proxy.app, sys; sys.exit('mcp' in sys.modules)"
    root = Path(__file__).parents[3]
    assert subprocess.run([sys.executable, "-c", program], cwd=root, check=False).returncode == 0
