"""The client of MCP before version 2, unmodified, against `/mcp` and `recollect mcp`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.clients.environments import MCP_BEFORE, python_of
from tests.clients.running import printed_by
from tests.clients.serving import LOGS, MODELS, clean_environ, served

NAME = MCP_BEFORE.name
USER = "asked"
_NOWHERE = "http://127.0.0.1:9/v1"
STEPS = (
    "initialize", "tools/list", "tools/call", "wrong arguments", "no such tool",
    "resources/list", "resources/read", "ping",
)  # fmt: skip
"""Those of its program, which says itself what went as it should."""


async def mcp_pass(folder: Path) -> list[str]:
    """Every step over HTTP and with the command; what failed."""
    own = {
        "RECOLLECT_DATA_DIR": str(folder / "stdio"),
        "RECOLLECT_EMBEDDER__MODEL_DIR": str(MODELS),
        "RECOLLECT_LISTEN__PORT": "9",
    }
    async with served(folder / "serve-mcp", _NOWHERE) as url:
        failed = await _talked("http", [f"{url}/mcp?user_id={USER}"], {})
    command = [str(Path(sys.executable).parent / "recollect"), "mcp", "--user", USER]
    return failed + await _talked("stdio", command, own)


async def _talked(name: str, target: Sequence[str], environ: Mapping[str, str]) -> list[str]:
    """The steps that failed; each is printed as a row."""
    program = [str(python_of(MCP_BEFORE)), str(MCP_BEFORE.folder / "talk.py"), *target]
    text = await printed_by(program, clean_environ() | environ)
    (LOGS / f"{NAME}.{name}.log").write_text(text)
    failed = [step for step in STEPS if f"ok {step}" not in text.splitlines()]
    for step in STEPS:
        result = "FAILED" if step in failed else "ok"
        print(f"{NAME:15} {MCP_BEFORE.version:9} {step:20} {result:7} {name}", flush=True)
    return [f"{NAME} ({step}, {name})" for step in failed]
