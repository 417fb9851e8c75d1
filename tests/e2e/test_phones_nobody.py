"""Nothing is looked up, connected to or written that nobody configured."""

from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.e2e.test_remembers import ASKED, FACT, TOLD, flush, say
from tests.support.command import Command
from tests.support.product import Product
from tests.support.scripted import ScriptedModel, facts
from tests.support.waiting import wait_until

LONG_ENOUGH = 14.0
"""Seconds: onnxruntime 1.31 reported about ten seconds after its import."""


class Watcher:
    """Looks at the sockets of a process and its children, a hundred times a second.

    A name look-up is a datagram socket, a report a stream to somewhere else than loopback; both
    stand for longer than the time between two looks where nobody answers.
    """

    def __init__(self, pid: int) -> None:
        self.seen: set[str] = set()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, args=(pid,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self, pid: int) -> None:
        while not self._ended.wait(0.01):
            try:
                root = psutil.Process(pid)
                for process in (root, *root.children(recursive=True)):
                    self._look(process)
            except psutil.Error:
                continue

    def _look(self, process: psutil.Process) -> None:
        for found in process.net_connections(kind="inet"):
            if found.raddr and not found.raddr.ip.startswith(("127.", "::1", "::ffff:127.")):
                self.seen.add(f"{found.type.name} to {found.raddr.ip}:{found.raddr.port}")


class Check(Command):
    """`recollect check`, which ends by itself."""

    name = "check"

    def is_ready(self) -> bool:
        return True


def files_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


async def test_serving_learning_and_checking_stay_here(
    tmp_path: Path, settings: dict[str, Any], extractor: ScriptedModel, monkeypatch
) -> None:
    """A chat, learning, `recollect check` and a while of nothing: no socket leaves, no file stays."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / ".cache"))
    extractor.replies = [facts(FACT)]
    before = files_in(Path.cwd() / "proxy")
    async with Product(tmp_path / "data", **settings) as product:
        assert product.process is not None
        watcher = Watcher(product.process.pid)
        await say(product, TOLD, user="alice")
        await flush(product, user_id="alice")
        _, headers = await say(product, ASKED, user="alice")
        assert headers["x-recollect-memory"] == "injected"
        await asyncio.to_thread(_checked, tmp_path, settings, watcher)
        await asyncio.sleep(LONG_ENOUGH)
        watcher.stop()
    assert watcher.seen == set()
    assert files_in(home) == set()
    assert {
        name for name in files_in(Path.cwd() / "proxy") - before if "__pycache__" not in name
    } == set()


def _checked(tmp_path: Path, settings: dict[str, Any], watcher: Watcher) -> None:
    process = Check(tmp_path / "other", **settings).begin()
    looking = Watcher(process.pid)
    assert process.wait() == 0
    looking.stop()
    watcher.seen |= looking.seen


def test_the_watcher_sees(tmp_path: Path) -> None:
    """A socket that points elsewhere is noticed, so that silence above means something."""
    import socket

    watcher = Watcher(os.getpid())
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        try:
            stranger.connect(("192.0.2.1", 53))  # TEST-NET-1 (RFC 5737); a datagram sends nothing
        except OSError:
            pytest.skip("there is no route at all")
        wait_until(lambda: watcher.seen, "the sight of a socket")
    watcher.stop()
    assert watcher.seen == {"SOCK_DGRAM to 192.0.2.1:53"}
