"""`recollect memories`: a running proxy is asked; without one the store is opened."""

import asyncio
import json

import pytest

from recollect.proxy.cli import main

from .test_explain import PLANTED_TEXT, TEA, Running, fill
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


async def test_what_is_not_there_is_said(environ, capsys):
    """An id that nobody has, whatever is asked of it."""
    async with Running(environ):
        assert await command("get", "no/such") == 1
        assert await command("history", "no-such") == 1
    told = capsys.readouterr().err
    assert "there is no memory 'no/such'" in told
    assert "there is no memory 'no-such'" in told


@pytest.mark.process
def test_without_a_proxy_the_store_is_opened(folder, capsys):
    """The same answers."""
    asyncio.run(fill(folder))
    assert main(["memories", "list", *HERS]) == 0
    assert TEA in capsys.readouterr().out
    assert main(["memories", "get", "tea"]) == 0
    assert main(["memories", "get", "coffee"]) == 1
    assert main(["memories", "history", "tea"]) == 1
    assert main(["memories", "validate", "tea"]) == 0
    assert main(["memories", "validate", "tea"]) == 2


@pytest.mark.usefixtures("environ")
@pytest.mark.parametrize(
    ("arguments", "status"), [(["--user", ""], 2), (HERS, 1), ([*HERS, "--limit", "0"], 1)]
)
def test_wrong_calls(arguments, status):
    """2 for a wrong call, 1 where there is no store to look into."""
    assert main(["memories", "list", *arguments]) == status


async def test_one_kind_is_listed(environ, capsys):
    """Memories, or what was said, or both; a kind that is none is refused."""
    async with Running(environ) as proxy:
        await proxy.remember(TEA)
        for kind, status in (("memory", 0), ("said", 1)):
            assert await command("list", *HERS, "--kind", kind) == status
        assert TEA in capsys.readouterr().out
        with pytest.raises(SystemExit):
            await command("list", *HERS, "--kind", "believed")
    assert "--kind" in capsys.readouterr().err
