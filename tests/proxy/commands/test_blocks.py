"""`recollect blocks`: working blocks on the command line."""

import asyncio
import json

import pytest

from recollect.proxy.cli import main

from .test_explain import Running
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture

HERS = ("--user", "alice")


def blocks(*arguments):
    return main(["blocks", *arguments, *HERS])


def session(capsys):
    """Everything once; what was shown at the end of each."""
    assert blocks("list") == 1
    assert "no blocks of user alice" in capsys.readouterr().err
    assert blocks("define", "plan", "--value", "buy tea", "--limit", "20", "--read-only") == 0
    assert capsys.readouterr().out == "plan  version 1, 2 of 20 tokens, read-only\n    buy tea\n"
    assert blocks("define", "plan", "--no-read-only", "--description", "what is next") == 0
    assert blocks("append", "plan", "call\x1b[2J Bob") == 0
    assert "(what is next)\n    buy tea\n    call [2J Bob\n" in capsys.readouterr().out
    assert blocks("replace", "plan", "tea", "coffee", "--version", "3", "--json") == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["version"], made["value"]) == (4, "buy coffee\ncall\x1b[2J Bob")
    assert blocks("replace", "plan", "tea", "x") in {1, 2}
    assert "old: does not stand in the block" in capsys.readouterr().err
    assert blocks("rewrite", "plan", "x", "--version", "3") == 1
    assert "at version 4, not 3" in capsys.readouterr().err
    assert blocks("history", "plan") == 0
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines() if "person" in line]
    assert blocks("show", "plan", "--json") == 0
    assert json.loads(capsys.readouterr().out)["label"] == "plan"
    assert blocks("compiled") == 0
    compiled = capsys.readouterr().out
    assert "* Block plan: what is next\n- buy coffee\n" in compiled
    return compiled


@pytest.mark.process
async def test_a_running_proxy_is_asked(environ, capsys):
    """It has the blocks, and what it compiles is what its chats are given."""
    async with Running(environ) as proxy:
        compiled = await asyncio.to_thread(session, capsys)
        assert compiled.startswith("<recollect-memories-")
        assert await asyncio.to_thread(blocks, "delete", "plan") == 0
        assert "erased" in capsys.readouterr().err
        assert await asyncio.to_thread(blocks, "show", "plan") == 1
        assert "there is no block 'plan'" in capsys.readouterr().err
        assert not proxy.upstream.requests
