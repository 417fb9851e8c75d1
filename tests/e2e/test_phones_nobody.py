"""Nothing is looked up, connected to or written that nobody configured."""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path

import pytest

from tests.e2e.asking import FACT, TOLD, flush, say
from tests.support.budget import FACTOR, WHOLE
from tests.support.command import Command
from tests.support.gateway import Gateway, Tenant
from tests.support.scripted import ScriptedModel, facts
from tests.support.sockets import Watcher
from tests.support.waiting import until, wait_until

LONG_ENOUGH = 14.0 if FACTOR >= WHOLE else 0.0
"""Seconds: onnxruntime 1.31 reported about ten seconds after its import."""


class Check(Command):
    """`recollect check`, which ends by itself."""

    name = "check"

    def is_ready(self) -> bool:
        return True


def files_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


async def test_serving_learning_and_checking_stay_here(
    gateway: Gateway, tenant: Tenant, extractor: ScriptedModel, models_dir: Path, tmp_path: Path
) -> None:
    """Whatever the product did since its start, and a `recollect check`: no socket leaves, no file stays."""
    extractor.replies = [facts(FACT)]
    await say(tenant, TOLD, user="alice")
    await flush(tenant, user_id="alice")
    settings = {"upstream__base_url": extractor.base_url, "embedder__model_dir": models_dir}
    check = Check(tmp_path / "other", **settings)
    check._environ |= {
        name: gateway.product._environ[name]
        for name in ("HOME", "XDG_CACHE_HOME", "OPENAI_API_KEY", "OPENAI_BASE_URL")
    }
    await asyncio.to_thread(_checked, check)
    await asyncio.sleep(LONG_ENOUGH)
    looks = gateway.watcher.looks
    await until(lambda: gateway.watcher.looks > looks, "another look")
    assert gateway.watcher.seen == set()
    assert files_in(gateway.home) == set()
    assert gateway.trap.requests == []


def _checked(check: Check) -> None:
    process = check.begin()
    looking = Watcher(process.pid)
    process.wait()
    looking.stop()
    assert looking.seen == set()


def test_the_watcher_sees() -> None:
    """A socket that points elsewhere is noticed, so that silence above means something."""
    watcher = Watcher(os.getpid())
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        try:
            stranger.connect(("192.0.2.1", 53))  # TEST-NET-1 (RFC 5737); a datagram sends nothing
        except OSError:
            pytest.skip("there is no route at all")
        wait_until(lambda: watcher.seen, "the sight of a socket")
    watcher.stop()
    assert watcher.seen == {"SOCK_DGRAM to 192.0.2.1:53"}
