"""`recollect conversations`: what was said, by conversation."""

import asyncio
import json

from recollect.proxy.cli import main
from tests.proxy.api.calling import COMPLETION
from tests.proxy.wire import request

from .test_explain import Running
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture

SAID = {
    "model": "m",
    "messages": [{"role": "user", "content": "Which trail near Bergen is dry? \x1b[2J"}],
    "user": "alice",
}
USER = ("--user", "alice")


async def command(*arguments):
    """Run it while the proxy serves."""
    return await asyncio.to_thread(main, ["conversations", *arguments])


async def said(proxy, *more):
    """One chat of alice, which may go on with more messages."""
    body = SAID | {"messages": [*SAID["messages"], *more]}
    data = request("POST", "/v1/chat/completions", json.dumps(body).encode())
    seen = await proxy.ask(data.replace(b"proxy.test", b"127.0.0.1"))
    assert seen.status == 200


async def test_the_life_of_a_conversation(environ, capsys):
    """It is listed, shown, found and erased, as text and as JSON; then there is none."""
    async with Running(environ, script=COMPLETION) as proxy:
        assert await command("list", *USER) == 1
        assert "no conversations (user alice (tenant local))" in capsys.readouterr().err
        await said(proxy)
        assert await command("list", *USER, "--json") == 0
        name = json.loads(capsys.readouterr().out)["id"]
        assert await command("list", *USER) == 0
        head, text = capsys.readouterr().out.splitlines()
        assert name in head
        assert "turns 1" in head
        assert text.startswith("    Which trail near Bergen is dry?")
        assert await command("show", name, *USER, "--limit", "1") == 0
        told = capsys.readouterr()
        assert "\x1b" not in told.out
        assert told.out.splitlines()[0].endswith("user")
        cursor = told.err.split()[-1]
        assert await command("show", name, *USER, "--cursor", cursor) == 0
        assert capsys.readouterr().out.splitlines()[0].endswith("assistant")
        assert await command("search", "dry trail", *USER, "--conversation-id", name) == 0
        assert "Which trail near Bergen" in capsys.readouterr().out
        assert await command("search", "dry trail", *USER, "--no-assistant", "--json") == 0
        found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert {one["role"] for one in found} == {"user"}
        assert await command("erase", name, *USER) == 2
        assert "say --yes" in capsys.readouterr().err
        assert await command("erase", name, *USER, "--memories", "--yes") == 0
        told = capsys.readouterr().out
        assert "erased: the texts of 1 turn" in told
        assert "receipt" in told
        assert await command("erase", name, *USER, "--yes") == 1
        assert "there is no conversation" in capsys.readouterr().err
