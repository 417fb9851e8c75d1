"""`recollect memories invalidate` and `revert`."""

import asyncio
import json

import pytest

from recollect.proxy.cli import main

from .test_explain import Running
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture
from .test_settling import HERS, fill


@pytest.mark.process
def test_a_memory_is_denied_and_taken_back(folder, capsys):
    """The list of superseded ones has it with the reason; `revert` brings it back."""
    asyncio.run(fill(folder))
    assert main(["memories", "invalidate", "old", "--reason", "a joke"]) == 0
    capsys.readouterr()
    assert main(["memories", "list", *HERS, "--status", "superseded"]) == 0
    assert "User's rent is old" in capsys.readouterr().out
    assert main(["memories", "get", "old"]) == 0
    assert "person: a joke" in capsys.readouterr().out
    assert main(["memories", "revert", "old", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "active"
    assert main(["memories", "revert", "old", "--to", "9"]) == 2
    assert "version: expected an earlier version" in capsys.readouterr().err
    assert main(["memories", "invalidate", "old", "--valid-to", "soon"]) == 2
    assert "valid_to" in capsys.readouterr().err


@pytest.mark.process
async def test_a_running_proxy_is_asked(environ, capsys):
    """An edit is taken back by its number."""
    async with Running(environ) as proxy:
        await proxy.remember("User likes tea")
        assert await asyncio.to_thread(main, ["memories", "list", *HERS, "--json"]) == 0
        name = json.loads(capsys.readouterr().out)["id"]
        for call in (
            ["update", name, "User likes coffee"],
            ["revert", name, "--to", "1"],
            ["invalidate", name, "--valid-to", "2999-01-01"],
            ["invalidate", name],
        ):
            wrong = "2999-01-01" in call
            assert await asyncio.to_thread(main, ["memories", *call]) == (1 if wrong else 0)
        assert await asyncio.to_thread(main, ["memories", "get", name]) == 0
        assert "User likes tea" in capsys.readouterr().out
