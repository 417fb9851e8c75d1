"""`recollect users`: who has memories."""

import asyncio
import json

from recollect.proxy.cli import main
from recollect.proxy.commands.users import table

from .test_explain import TEA, Running
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture


async def command(*arguments):
    """Run it while the proxy serves."""
    return await asyncio.to_thread(main, ["users", *arguments])


async def test_they_are_listed_with_their_numbers(environ, capsys):
    """Users, agents and runs; one kind alone; as JSON for programs."""
    async with Running(environ) as proxy:
        await proxy.remember(TEA)
        await proxy.remember("Bob sells cameras", user_id="bob", agent_id="shop")
        assert await command() == 0
        lines = capsys.readouterr().out.splitlines()
        assert [(line.split()[0], line.split()[-1]) for line in lines[1:]] == [
            ("user", "alice"),
            ("user", "bob"),
            ("agent", "shop"),
        ]
        assert await command("--kind", "agent", "--json") == 0
        [shop] = map(json.loads, capsys.readouterr().out.splitlines())
        assert (shop["name"], shop["total_memories"]) == ("shop", 1)
        assert await command("--kind", "run") == 1
        assert "no run has memories (tenant local)" in capsys.readouterr().err


def test_a_name_cannot_command_a_terminal():
    """Columns stand one below the other, and control characters are shown."""
    long = {"type": "user", "total_memories": 12_345, "updated_at": "2026-03-02T12:00:00.000+00:00"}
    shown = table([long | {"name": "a\x1b[2J"}, long | {"name": "b", "total_memories": 1}])
    head, first, second = shown.splitlines()
    assert "\x1b" not in shown
    assert first.startswith("user     12,345  2026-03-02 12:00  a")
    assert head.index("name") == first.index("a", 30) == second.index("b")
