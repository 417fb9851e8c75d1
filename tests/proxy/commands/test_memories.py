"""`recollect memories`: a running proxy is asked; without one the store is opened."""

import asyncio
import json

import pytest

from recollect.proxy.cli import main

from .test_explain import PLANTED_TEXT, TEA, Running
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture

HERS = ["--user", "alice"]


async def command(*arguments):
    """Run it while the proxy serves."""
    return await asyncio.to_thread(main, ["memories", *arguments])


@pytest.mark.process
async def test_what_is_held_back_is_listed_and_validated(environ, capsys):
    """With its reasons; after that it is an active memory, and its history says so."""
    async with Running(environ) as proxy:
        await proxy.remember(TEA)
        await proxy.remember(PLANTED_TEXT)
        held = [*HERS, "--status", "quarantined"]
        assert await command("list", *held) == 0
        told = capsys.readouterr()
        assert "Held back: It " in told.out
        assert "In the user's own words" in told.out
        assert "1 quarantined" in told.err
        assert await command("list", *held, "--json") == 0
        listed = json.loads(capsys.readouterr().out)
        assert await command("validate", listed["id"]) == 0
        assert "Was held back: It " in capsys.readouterr().out
        assert await command("get", listed["id"], "--json") == 0
        assert json.loads(capsys.readouterr().out)["status"] == "active"
        assert await command("history", listed["id"]) == 0
        assert "VALIDATE  asked" in capsys.readouterr().out
        assert await command("list", *held) == 1
        assert "no quarantined memories of user alice" in capsys.readouterr().err
