"""The two agents of docs/agents.md, as somebody would paste them, and its table of tools."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.clients.upstream import Received, ScriptedUpstream
from tests.support.here import ProductHere
from tests.support.waiting import HANG_SECONDS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "agents.md").read_text("utf-8")
ADDRESS = "http://127.0.0.1:8787"
HANDBOOK, ROUTER, NOTE = "Returns are free for 30 days.", "router is a Heron 3", "its fuse is loose"


def section(title, language):
    """The code in a language under a heading."""
    text = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(title):
    """What is typed under a heading, each command on one line."""
    typed = "\n".join(section(title, "console")).replace("\\\n", " ")
    return [line.removeprefix("$ ") for line in typed.splitlines() if line.startswith("$ ")]


@pytest.fixture
async def upstream():
    """The model server of the proxy."""
    async with ScriptedUpstream() as running:
        yield running


@pytest.fixture
async def product(upstream, tmp_path):
    """A proxy that runs."""
    made = ProductHere(
        tmp_path / "data",
        upstream__base_url=upstream.base_url,
        embedder__backend="fake",
    )
    async with made:
        yield made


@pytest.fixture
def home(product, tmp_path):
    """A user's folder, in which `recollect` is that of this checkout and finds the proxy."""
    command = tmp_path / "bin" / "recollect"
    command.parent.mkdir()
    ours = f"PYTHONPATH={shlex.quote(str(ROOT))} RECOLLECT_LISTEN__PORT={product.port}"
    command.write_text(f'#!/bin/sh\n{ours} exec {shlex.quote(sys.executable)} -m recollect "$@"\n')
    command.chmod(0o755)
    return tmp_path


async def printed(home, *command, **more):
    """What a command prints; it has to end well."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("RECOLLECT_", "OPENAI_"))}
    path = f"{home / 'bin'}{os.pathsep}{kept['PATH']}"
    process = await asyncio.create_subprocess_exec(
        *command, cwd=home, env={**kept, "HOME": str(home), "PATH": path, **more},
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        said, errors = await asyncio.wait_for(process.communicate(), HANG_SECONDS)
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0, errors.decode()
    return said.decode()


@pytest.mark.process
async def test_the_coding_agent(home):
    """What it remembered and wrote is there, also for the next one that is started."""
    [define, add] = commands("A coding agent")
    await printed(home, *shlex.split(define))
    assert add.endswith(" -- recollect mcp --user ada --agent coder")
    [program] = section("A coding agent", "python")
    for times in (1, 2):
        said = await printed(home, sys.executable, "-c", program)
        assert "Heron service is deployed on Tuesdays" in said.splitlines()[0]
        assert said.count("ship Heron 2") == times


@pytest.mark.process
async def test_the_support_agent(home, product, upstream):
    """Each customer is remembered alone, and all have what the team wrote down."""
    curl, export = (each.replace(ADDRESS, product.url) for each in commands(SUPPORT))
    assert HANDBOOK in await printed(home, *shlex.split(curl))
    name, _, address = export.removeprefix("export ").partition("=")
    more = {name: address, "OPENAI_API_KEY": "sk-support"}
    [program] = section(SUPPORT, "python")
    await printed(home, sys.executable, "-c", program, **more)
    chats = [each for each in upstream.received if not each.is_learning]
    assert [HANDBOOK in everything(each) for each in chats] == [True] * 3
    assert [ROUTER in everything(each) for each in chats] == [True, False, True]
    assert NOTE in everything(chats[2])


SUPPORT = "A support agent"


def everything(request: Received) -> str:
    """All that a model was told."""
    return "\n".join(request.texts("system", "developer", "user"))
