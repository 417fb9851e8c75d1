"""`recollect serve` as a user starts it, and calls of its memory API."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from tests.clients.environments import ENVIRONMENTS
from tests.support.ports import free_port
from tests.support.waiting import HANG_SECONDS

LOGS = ENVIRONMENTS / "logs"
MODELS = Path("~/.recollect/models").expanduser()
"""Where `make setup` puts the embedding weights."""
_OWN = ("RECOLLECT_", "OPENAI_", "PYTHON", "NODE_")
"""Beginnings of variables that would configure the product or a client."""


def clean_environ() -> dict[str, str]:
    """This process's environment without what configures the product or a client."""
    return {k: v for k, v in os.environ.items() if not k.startswith(_OWN)}


@contextlib.asynccontextmanager
async def served(folder: Path, upstream: str, **settings: str) -> AsyncIterator[str]:
    """The command in front of an upstream, with an empty data folder; its address.

    `settings` are further ones, by the names of their variables.
    """
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    environ = clean_environ() | {
        "RECOLLECT_DATA_DIR": str(folder),
        "RECOLLECT_EMBEDDER__MODEL_DIR": str(MODELS),
        # A busy machine is not what is tried here.
        "RECOLLECT_RECALL__DEADLINE_MS": "5000",
        **{f"RECOLLECT_{name.upper()}": value for name, value in settings.items()},
    }
    command = [str(Path(sys.executable).parent / "recollect"), "serve"]
    command += ["--port", str(port), "--upstream", upstream]
    with (LOGS / f"{folder.name}.log").open("wb") as log:
        process = subprocess.Popen(command, env=environ, stdout=log, stderr=log)
        try:
            await asyncio.to_thread(_wait, process, url)
            yield url
        finally:
            process.terminate()
            # Meanwhile an upstream in this process answers what is learned at the end.
            await asyncio.to_thread(_end, process)


async def post(url: str, path: str, body: dict[str, Any]) -> None:
    """A call of the memory API, until its answer has ended."""
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(url + path, json.dumps(body).encode(), headers)

    def call() -> None:
        with urllib.request.urlopen(request, timeout=HANG_SECONDS) as answer:
            answer.read()

    await asyncio.to_thread(call)


def _wait(process: subprocess.Popen[bytes], url: str) -> None:
    deadline = time.monotonic() + HANG_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{url}/readyz", timeout=HANG_SECONDS).close()
            return
        time.sleep(0.1)
    raise SystemExit(f"`recollect serve` does not answer; its log is in {LOGS}")


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(HANG_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
