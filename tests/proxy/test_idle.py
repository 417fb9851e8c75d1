"""A server that nobody asks sleeps: it wakes every few seconds, once for all that looks then."""

from __future__ import annotations

import asyncio
import selectors

from recollect.config import load_settings
from recollect.memory.util.clock import Clock
from recollect.proxy.serve import build_runner

MINUTE = 60.0
BEATS = 12
"""Most wake-ups of a minute: every five seconds one, for all loops together."""
FIRST = 30.0
"""Seconds in which what follows a start ends."""
THREADS_SECONDS = 0.02
"""Real time in which what runs in another thread may come back before time passes here."""


class _Passing(selectors.DefaultSelector):
    """Nothing is waited for: where a loop would sleep, the time has passed."""

    passed = 0.0
    wakes = 0

    def select(self, timeout=None):
        patience = timeout if timeout is None else min(max(timeout, 0.0), THREADS_SECONDS)
        ready = super().select(patience)
        if not ready and timeout is not None and timeout > 0:
            self.passed += timeout
            self.wakes += 1
        return ready


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self):
        self.passing = _Passing()
        super().__init__(self.passing)

    def time(self):
        return self.passing.passed


async def wakes_of_a_minute(**settings) -> int:
    runner = build_runner(load_settings(environ={}, flags=settings))
    await runner.setup()
    try:
        await asyncio.sleep(FIRST)
        passing = asyncio.get_running_loop().passing
        before = passing.wakes
        await asyncio.sleep(MINUTE)
        return passing.wakes - before
    finally:
        await runner.cleanup()


def test_an_idle_server_sleeps(tmp_path, monkeypatch):
    """As it is delivered, but for the models that it embeds with."""
    loop = _Loop()
    monkeypatch.setattr(Clock, "monotonic", lambda _: loop.time())
    settings = {
        "data_dir": str(tmp_path),
        "telemetry.metrics": "localhost:0",
        "embedder.backend": "fake",
        "index.backend": "exact",
    }
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        wakes = runner.run(wakes_of_a_minute(**settings))
    assert 0 < wakes <= BEATS + 1
