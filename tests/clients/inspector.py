"""The inspector of MCP, unmodified, against `/mcp` and `recollect mcp`.

Each step is a call of its command line; what it prints is judged here. `--strict` also says which
schemas other clients could not read.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.clients.environments import ENVIRONMENTS, INSPECTOR, command_of, node
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


def install() -> None:
    """Make its environment. Raises InstallError."""
    command_of(INSPECTOR)


async def inspector_pass(folder: Path) -> list[str]:
    """Every step on both; what failed."""
    recollect = str(Path(sys.executable).parent / "recollect")
    own = {
        "RECOLLECT_DATA_DIR": str(folder / "stdio"),
        "RECOLLECT_EMBEDDER__MODEL_DIR": str(MODELS),
        "RECOLLECT_LISTEN__PORT": "9",
    }
    variables = [part for pair in own.items() for part in ("-e", "=".join(pair))]
    stdio = [*variables, recollect, "mcp", "--user", USER]
    async with served(folder / "serve-mcp", _NOWHERE) as url:
        failed = await _steps("http", [f"{url}/mcp?user_id={USER}", "--transport", "http"])
    return failed + await _steps("stdio", stdio)


async def _steps(name: str, target: Sequence[str]) -> list[str]:
    """Those that failed; each is printed as a row."""
    failed = []
    for step in STEPS:
        wrong = await _wrong(name, step, target)
        result = "FAILED" if wrong else "ok"
        print(f"{NAME:15} {INSPECTOR.version:9} {step.name:20} {result:7} {name}", flush=True)
        if wrong:
            print("    " + "\n    ".join(wrong.splitlines()[-12:]), flush=True)
            failed.append(f"{NAME} ({step.name}, {name})")
    return failed


async def _wrong(name: str, step: Step, target: Sequence[str]) -> str:
    """What is wrong with a step; empty if nothing is."""
    program = str(ENVIRONMENTS / NAME / _PROGRAM)
    command = [str(node()), program, "--cli", *target, *step.arguments]
    with (LOGS / f"{NAME}.{name}.log").open("a") as log:
        process = await asyncio.create_subprocess_exec(
            *command,
            # Its catalogue of servers is nobody's but the run's.
            env=clean_environ() | {"HOME": str(ENVIRONMENTS / NAME)},
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
        log.write(f"== {step.name}: {process.returncode}\n{text}\n")
    ended = process.returncode != 0 if step.status is None else process.returncode == step.status
    return "" if ended and step.expected in text else f"exit status {process.returncode}\n{text}"
