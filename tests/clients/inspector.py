"""The inspector of MCP and an older client, unmodified, against `/mcp` and `recollect mcp`.

Each step of the inspector is a call of its command line; what it prints is judged here. `--strict`
also says which schemas other clients could not read. The client before version 2 says itself what
went as it should.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.clients.environments import (
    ENVIRONMENTS,
    INSPECTOR,
    MCP_BEFORE,
    Client,
    command_of,
    node,
    python_of,
)
from tests.clients.serving import LOGS, MODELS, clean_environ, served
from tests.support.waiting import HANG_SECONDS

NAME = INSPECTOR.name
USER = "inspected"
FACT = "The offsite costs 4,000 euros."
_PROGRAM = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
_NOWHERE = "http://127.0.0.1:9/v1"
_PROFILE = "recollect://profile"


@dataclass(frozen=True)
class Step:
    """One call, and what its output must have; `status` is the exit status for it."""

    name: str
    arguments: tuple[str, ...]
    expected: str
    status: int | None = 0


def _called(tool: str, *pairs: str) -> tuple[str, ...]:
    given = ("--tool-arg", *pairs) if pairs else ()
    return ("--method", "tools/call", "--tool-name", tool, *given)


STEPS = (
    Step("tools/list", ("--method", "tools/list", "--strict"), '"fact_remember"'),
    Step("remember", _called("fact_remember", f"text={FACT}"), '"event": "ADD"'),
    Step("search", _called("fact_search", "query=offsite"), FACT),
    Step("wrong arguments", _called("fact_search"), "query: Field required", status=None),
    Step("no such tool", _called("nope"), "tool_not_found", status=None),
    Step("resources/list", ("--method", "resources/list"), _PROFILE),
    Step("resources/templates", ("--method", "resources/templates/list"), "blocks/{label}"),
    Step("resources/read", ("--method", "resources/read", "--uri", _PROFILE), '"contents"'),
    Step(
        "no such resource",
        ("--method", "resources/read", "--uri", "recollect://blocks/nope"),
        "nope",
        status=None,
    ),
)


TALKED = (
    "initialize",
    "tools/list",
    "tools/call",
    "wrong arguments",
    "no such tool",
    "resources/list",
    "resources/read",
    "ping",
)
"""The steps of the older client's program."""


def install() -> None:
    """Make their environments. Raises InstallError."""
    command_of(INSPECTOR)
    python_of(MCP_BEFORE)


async def inspector_pass(folder: Path) -> list[str]:
    """Every step of both clients on both servers; what failed."""
    recollect = str(Path(sys.executable).parent / "recollect")
    own = {
        "RECOLLECT_DATA_DIR": str(folder / "stdio"),
        "RECOLLECT_EMBEDDER__MODEL_DIR": str(MODELS),
        "RECOLLECT_LISTEN__PORT": "9",
    }
    command = [recollect, "mcp", "--user", USER]
    async with served(folder / "serve-mcp", _NOWHERE) as url:
        there = f"{url}/mcp?user_id={USER}"
        failed = await _steps("http", [there, "--transport", "http"])
        failed += await _talked("http", [there], {})
    variables = [part for pair in own.items() for part in ("-e", "=".join(pair))]
    failed += await _steps("stdio", [*variables, *command])
    return failed + await _talked("stdio", command, own)


async def _talked(name: str, target: Sequence[str], environ: Mapping[str, str]) -> list[str]:
    """The steps of the older client that failed; each is printed as a row."""
    program = [str(python_of(MCP_BEFORE)), str(MCP_BEFORE.folder / "talk.py"), *target]
    status, text = await _run(MCP_BEFORE, name, program, environ)
    done = [step for step in TALKED if f"ok {step}" in text.splitlines()]
    for step in TALKED:
        _row(MCP_BEFORE, step, name, "" if step in done else f"exit status {status}\n{text}")
    return [f"{MCP_BEFORE.name} ({step}, {name})" for step in TALKED if step not in done]


async def _steps(name: str, target: Sequence[str]) -> list[str]:
    """Those of the inspector that failed; each is printed as a row."""
    failed = []
    program = [str(node()), str(ENVIRONMENTS / NAME / _PROGRAM), "--cli", *target]
    for step in STEPS:
        # Its catalogue of servers is nobody's but the run's.
        home = {"HOME": str(ENVIRONMENTS / NAME)}
        status, text = await _run(INSPECTOR, name, [*program, *step.arguments], home)
        ended = status != 0 if step.status is None else status == step.status
        right = ended and step.expected in text
        _row(INSPECTOR, step.name, name, "" if right else f"exit status {status}\n{text}")
        failed += [] if right else [f"{NAME} ({step.name}, {name})"]
    return failed


def _row(client: Client, step: str, name: str, wrong: str) -> None:
    """Print what became of a step."""
    result = "FAILED" if wrong else "ok"
    print(f"{client.name:15} {client.version:9} {step:20} {result:7} {name}", flush=True)
    if wrong:
        print("    " + "\n    ".join(wrong.splitlines()[-12:]), flush=True)


async def _run(
    client: Client, name: str, command: Sequence[str], environ: Mapping[str, str]
) -> tuple[int | None, str]:
    """The exit status of a program, and what it printed, which is kept."""
    process = await asyncio.create_subprocess_exec(
        *command,
        env=clean_environ() | environ,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        printed, _ = await asyncio.wait_for(process.communicate(), HANG_SECONDS)
    finally:
        if process.returncode is None:
            process.kill()
    text = printed.decode("utf-8", "replace")
    with (LOGS / f"{client.name}.{name}.log").open("a") as log:
        log.write(f"== {' '.join(command)}: {process.returncode}\n{text}\n")
    return process.returncode, text
