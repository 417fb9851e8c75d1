"""The parent of the workers, with stand-ins for the worker processes."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from recollect.config import Settings, load_settings
from recollect.proxy.serve import CannotListenError
from recollect.proxy.workers import supervisor as module
from recollect.proxy.workers.supervisor import CannotStartError, Workers, supervise
from tests.support.folding import rows
from tests.support.ports import free_port
from tests.support.waiting import HANG_SECONDS, until

pytestmark = pytest.mark.process

SERVES = """
import json, os, signal, sys, time
from recollect.proxy.workers.child import received
told = received(sys.stdin.buffer)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
os.write(1, json.dumps({"url": f"http://127.0.0.1:{told.settings.listen.port}"}).encode() + b"\\n")
time.sleep(600)
"""
FAILS = """
import json, os, sys
os.write(1, json.dumps({"cannot": "there are no weights"}).encode() + b"\\n")
sys.exit(1)
"""
DIES = "import sys; sys.exit(3)"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    environ = {
        "RECOLLECT_DATA_DIR": str(tmp_path / "data"),
        "RECOLLECT_INDEX__URI": "http://127.0.0.1:1",
        "RECOLLECT_LISTEN__PORT": str(free_port()),
    }
    return load_settings(environ=environ)


@pytest.fixture
def acting(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let worker processes run another script."""
    real = asyncio.create_subprocess_exec

    def choose(script: str) -> None:
        def start(_python: str, *_args: str, **how: Any) -> Any:
            return real(sys.executable, "-c", script, **how)

        monkeypatch.setattr(module.asyncio, "create_subprocess_exec", start)

    return choose


async def test_it_is_ready_when_all_serve_and_replaces_who_dies(
    settings: Settings, tmp_path: Path, acting: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """A killed worker is started again at once, as another process; at the end all are gone."""
    acting(SERVES)
    workers = Workers(settings, tmp_path, 2)
    workers.start()
    async with asyncio.timeout(HANG_SECONDS):
        assert await workers.ready() == f"http://127.0.0.1:{settings.listen.port}"
        first = {number: process.pid for number, process in workers._processes.items()}
        os.kill(first[1], signal.SIGKILL)
        await until(lambda: workers._serving == {0, 1} and workers._processes[1].pid != first[1])
        assert workers._processes[0].pid == first[0]
        await workers.stop()
    assert not workers._processes
    assert "worker 2 ended (signal 9): started again" in caplog.text


@rows("script, why", [(FAILS, "there are no weights"), (DIES, "status 3")])
async def test_a_start_fails_with_the_words_of_the_worker(
    settings: Settings, acting: Any, script: str, why: str
) -> None:
    """Nothing is tried again, and nothing is left."""
    acting(script)
    async with asyncio.timeout(HANG_SECONDS):
        with pytest.raises(CannotStartError, match=why):
            await supervise(settings, 2)


async def test_a_worker_that_does_not_end_is_killed(
    settings: Settings, tmp_path: Path, acting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After some time."""
    acting(SERVES.replace("sys.exit(0)", "None"))
    monkeypatch.setattr(module, "STOP_SECONDS", 0.1)
    workers = Workers(settings, tmp_path, 1)
    workers.start()
    async with asyncio.timeout(HANG_SECONDS):
        await workers.ready()
        await workers.stop()
    assert not workers._processes


async def test_a_taken_port_is_told_before_anything_is_started(settings: Settings) -> None:
    """As for a process that is alone."""
    taken = await asyncio.start_server(lambda *_: None, "127.0.0.1", settings.listen.port)
    async with taken:
        with pytest.raises(CannotListenError):
            await supervise(settings, 2)
