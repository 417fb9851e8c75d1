"""The command as a person meets it: what it says when it cannot start, and that it stops."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from recollect.config import load_settings
from recollect.proxy import serve as serving
from recollect.proxy.transport import connections
from tests.proxy.tunnelling import OPEN, saying
from tests.proxy.wire import SECONDS, RawClient, RawUpstream
from tests.support.command import clean_environ
from tests.support.ports import free_port
from tests.support.product import Product
from tests.support.waiting import wait_until
from tests.support.zygote import ROOT

pytestmark = pytest.mark.process

FAKE = {"embedder__backend": "fake", "index__backend": "exact"}


def serve(data_dir: Path, *arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
    """Run a start that is expected to fail."""
    environ = clean_environ() | {
        "RECOLLECT_DATA_DIR": str(data_dir),
        **{f"RECOLLECT_{key.upper()}": str(value) for key, value in settings.items()},
    }
    return subprocess.run(
        [sys.executable, "-m", "recollect", "serve", *arguments],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def test_whatever_is_taken_is_named(tmp_path: Path) -> None:
    """A port of another Recollect, and a folder: two stores on one would damage it.

    One line says who has it, and nothing is made.
    """
    settings = {"embedder__backend": "fake"}
    with Product(tmp_path / "data", **settings) as product:
        port = product.url.rpartition(":")[2]
        here = serve(tmp_path / "other", "--port", port, **FAKE)
        there = serve(tmp_path / "data", "--port", str(free_port()), **settings)
    assert (here.returncode, there.returncode) == (1, 1)
    assert f"127.0.0.1:{port} is in use by another Recollect" in here.stderr
    assert not (tmp_path / "other" / "memories.db").exists()
    assert str(tmp_path / "data") in there.stderr
    assert "Traceback" not in here.stderr + there.stderr


def configured(folder: Path, **more: object) -> Any:
    """Settings of a server in this process."""
    flags = {"data_dir": str(folder), "listen.port": 0, "telemetry.metrics": "localhost:0"}
    flags |= {key.replace("__", "."): value for key, value in (FAKE | more).items()}
    return load_settings(environ={}, flags=flags)


def test_ctrl_c_during_the_start(tmp_path: Path) -> None:
    """It ends with status 0 and a line, however early; no child is left behind."""
    environ = clean_environ() | {
        "RECOLLECT_DATA_DIR": str(tmp_path / "data"),
        "RECOLLECT_EMBEDDER__BACKEND": "fake",
        "RECOLLECT_LISTEN__PORT": str(free_port()),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "recollect", "serve"],
        cwd=ROOT,
        env=environ,
        stderr=subprocess.PIPE,
        text=True,
    )
    lock = tmp_path / "data" / "recollect.db.lock"
    wait_until(lambda: lock.exists() or process.poll() is not None, "the lock")
    process.send_signal(signal.SIGINT)
    _, shown = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, shown
    assert "Traceback" not in shown
    assert "stopp" in shown


async def test_tunnels_do_not_hold_up_a_stop(tmp_path: Path, monkeypatch) -> None:
    """A session has no end of its own: the server ends it when it stops, and tells both sides."""
    monkeypatch.setattr(connections, "SHUTDOWN_SECONDS", 600)
    async with RawUpstream(saying()) as upstream:
        flags = {"upstream__base_url": upstream.base_url}
        runner = serving.build_runner(configured(tmp_path, **flags))
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        async with RawClient(runner.addresses[0][1]) as client:
            await client.send(OPEN)
            assert (await client.answer(head_only=True)).status == 101
            async with asyncio.timeout(SECONDS):
                await runner.cleanup()
                assert await client.reader.read() == b""
                await upstream.hung_up.wait()


async def test_the_loop_is_watched_once_clients_are_accepted(tmp_path: Path, monkeypatch) -> None:
    """What the start itself takes, the last clean-up of memory included, is no stall."""
    order, ready = [], asyncio.Event()
    monkeypatch.setattr(serving, "settle", lambda: order.append("settled"))
    monkeypatch.setattr(
        "recollect.proxy.watchdog.Watchdog.begin", lambda _: order.append("watched")
    )
    heard = lambda _: (order.append("ready"), ready.set())  # noqa: E731
    running = asyncio.ensure_future(serving.serve(configured(tmp_path), on_ready=heard))
    async with asyncio.timeout(SECONDS):
        await ready.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert order == ["settled", "watched", "ready"]
