"""The command as a person meets it: what it says when it cannot start, and that it stops."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

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
from tests.support.zygote import ROOT

pytestmark = pytest.mark.process

FAKE = {"embedder__backend": "fake", "store__backend": "inmemory"}


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


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    """Another program on the port: one line that says which port and what to do."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = serve(tmp_path, "--port", str(port), **FAKE)
    assert done.returncode == 1
    assert (
        f"127.0.0.1:{port} is in use by another program; choose another port with --port"
        in done.stderr
    )
    assert "Traceback" not in done.stderr


def test_a_port_of_another_recollect_is_told(tmp_path: Path) -> None:
    """Not every program is a stranger: the line says that it is one of ours."""
    with Product(tmp_path / "data", **FAKE) as product:
        port = product.url.rpartition(":")[2]
        done = serve(tmp_path / "other", "--port", port, **FAKE)
    assert done.returncode == 1
    assert f"127.0.0.1:{port} is in use by another Recollect" in done.stderr
    assert not (tmp_path / "other" / "memories.db").exists()


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
    while not (tmp_path / "data" / "memories.db.lock").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, shown = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, shown
    assert "Traceback" not in shown
    assert "stopp" in shown


def test_missing_weights_say_how_to_get_them(tmp_path: Path) -> None:
    """No weights: the message names the command that fetches them."""
    done = serve(tmp_path, "--port", str(free_port()), store__backend="inmemory")
    assert done.returncode == 1
    assert "recollect models fetch" in done.stderr
    assert "Traceback" not in done.stderr


def test_pointing_at_itself_is_refused(tmp_path: Path) -> None:
    """An upstream that is this very proxy would loop for ever: refused by key."""
    done = serve(tmp_path, "--port", "9123", "--upstream", "http://localhost:9123/v1", **FAKE)
    assert done.returncode == 2
    assert "upstream.base_url" in done.stderr


def test_off_loopback_without_a_token_is_refused(tmp_path: Path) -> None:
    """Nobody opens a memory to the network by accident."""
    done = serve(tmp_path, "--host", "0.0.0.0", "--port", str(free_port()), **FAKE)
    assert done.returncode == 2
    assert "api.token" in done.stderr


def test_a_second_product_on_the_same_data_is_refused(tmp_path: Path) -> None:
    """Two embedded stores on one folder would damage it: the second says who has it."""
    settings = {"embedder__backend": "fake"}
    with Product(tmp_path / "data", **settings):
        done = serve(tmp_path / "data", "--port", str(free_port()), **settings)
    assert done.returncode == 1
    assert str(tmp_path / "data") in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_stop_it_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    """SIGTERM and Ctrl-C end it with status 0, no child left behind."""
    product = Product(tmp_path / "data", embedder__backend="fake").start()
    assert product.process is not None
    children = Path(f"/proc/{product.process.pid}/task/{product.process.pid}/children")
    pids = children.read_text().split() if children.exists() else []
    product.process.send_signal(number)
    assert product.process.wait(SECONDS) == 0
    assert "Traceback" not in product.log()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


def test_a_damaged_state_is_named_and_left_alone(tmp_path: Path) -> None:
    """The start goes on, the log and /readyz name the file and the command, nothing is renamed."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "state.db").write_bytes(b"not a database " * 500)
    with (
        Product(data, **FAKE) as product,
        urllib.request.urlopen(f"{product.url}/readyz") as answer,
    ):
        ready = json.load(answer)
    assert (ready["status"], ready["parts"]["state"]) == ("degraded", "state_damaged")
    assert ready["advice"]["state"].startswith("state.db is damaged")
    assert f"{data / 'state.db'} is damaged" in product.log()
    assert "recollect repair" in product.log()
    assert "Traceback" not in product.log()
    assert [p.name for p in data.glob("state.db*")] == ["state.db"]
    assert (data / "state.db").read_bytes() == b"not a database " * 500


async def test_tunnels_do_not_hold_up_a_stop(tmp_path: Path, monkeypatch) -> None:
    """A session has no end of its own: the server ends it when it stops, and tells both sides."""
    monkeypatch.setattr(connections, "SHUTDOWN_SECONDS", 600)
    async with RawUpstream(saying()) as upstream:
        flags = {
            "data_dir": str(tmp_path),
            "upstream.base_url": upstream.base_url,
            "telemetry.metrics.port": 0,
        }
        flags |= {key.replace("__", "."): value for key, value in FAKE.items()}
        runner = serving.build_runner(load_settings(environ={}, flags=flags))
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
    flags = {"data_dir": str(tmp_path), "listen.port": 0}
    flags |= {key.replace("__", "."): value for key, value in FAKE.items()}
    settings = load_settings(environ={}, flags=flags)
    running = asyncio.ensure_future(
        serving.serve(settings, on_ready=lambda _: (order.append("ready"), ready.set()))
    )
    async with asyncio.timeout(SECONDS):
        await ready.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert order == ["settled", "watched", "ready"]
