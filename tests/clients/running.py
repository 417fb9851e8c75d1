"""Runs the program of one client, and keeps what became of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.clients.checks import Story
from tests.clients.environments import Client, command_of
from tests.clients.serving import LOGS, clean_environ
from tests.support.waiting import HANG_SECONDS

PROGRAM_SECONDS = 900.0
MARK = "STEP "
"""How a program's own lines begin; whatever else a client prints is for the log."""


@dataclass
class Outcome:
    """What became of one client."""

    client: Client
    story: Story
    steps: Sequence[str] = ()
    """Those that its program has."""
    failed: list[str] = field(default_factory=list)
    checks: int = 0

    def note(self, check: str, wrong: str, paths: str = "") -> None:
        """Count a check, and print it as a row."""
        self.checks += 1
        self.failed += [check] if wrong else []
        result = "FAILED" if wrong else "ok"
        named = f"{self.client.name:15} {self.client.version:9} {check:20}"
        print(f"{named} {result:7} {paths}".rstrip(), flush=True)
        if wrong:
            print("    " + "\n    ".join(wrong.splitlines()[-12:]), flush=True)


async def lines_of(
    client: Client, steps: Sequence[str], environ: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The lines that the program of a client prints, with these variables and no other of ours."""
    told = clean_environ() | environ | {"PYTHONPATH": str(client.folder.parent)}
    command = [*command_of(client), *steps]
    with (LOGS / f"{client.name}.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *command, env=told, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=log, start_new_session=True,
        )  # fmt: skip
        output = b""
        try:
            output, _ = await asyncio.wait_for(process.communicate(), PROGRAM_SECONDS)
        except TimeoutError:
            log.write(f"ended after {PROGRAM_SECONDS} s\n".encode())
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        log.write(output)
    lines = output.decode("utf-8", "replace").splitlines()
    return [json.loads(line[len(MARK) :]) for line in lines if line.startswith(MARK)]


async def printed_by(command: Sequence[str], environ: Mapping[str, str]) -> str:
    """What a command prints, its errors too."""
    process = await asyncio.create_subprocess_exec(
        *command, env=environ, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        printed, _ = await asyncio.wait_for(process.communicate(), HANG_SECONDS)
    finally:
        if process.returncode is None:
            process.kill()
    return printed.decode("utf-8", "replace")
