"""Learning in a process of its own, beside proxies that share its state and its store."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack

from recollect.config import Settings
from recollect.memory.engine import Engine
from recollect.memory.errors import InvalidInputError

from .telemetry import open_telemetry

log = logging.getLogger(__name__)


async def run_worker(settings: Settings, *, on_ready: Callable[[], None] | None = None) -> None:
    """Take jobs until SIGINT, SIGTERM or SIGHUP (its terminal is gone), then finish what runs.

    Raises:
        InvalidInputError: something is configured that two processes cannot share; names the key.
        RecollectError: a part could not be opened.
    """
    check_shareable(settings)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop.set)
    learn = settings.learn.model_copy(update={"in_process": True, "enabled": True})
    settings = settings.model_copy(update={"learn": learn})
    telemetry = open_telemetry(settings.telemetry)
    async with AsyncExitStack() as stack:
        stack.callback(telemetry.shutdown)
        engine = await stack.enter_async_context(
            Engine.open(settings, serving=True, on_run=telemetry.learned)
        )
        await stack.enter_async_context(engine.running())
        if on_ready is not None:
            on_ready()
        await stop.wait()
        log.info("stopping")


def check_shareable(settings: Settings) -> None:
    """Whether a worker of its own makes sense with these settings.

    Raises:
        InvalidInputError: not; names the key and what it should be.
    """
    if settings.learn.llm is None:
        raise InvalidInputError(
            "learn.llm", "a worker has no client's credential to learn with: configure a model"
        )
    if settings.state.backend != "redis":
        raise InvalidInputError(
            "state.backend", "a worker takes jobs that proxies put into a shared queue: use redis"
        )
    if settings.history.backend != "postgres":
        raise InvalidInputError("history.backend", "a file belongs to one machine: use postgres")
    if not settings.store.remote:
        raise InvalidInputError(
            "store.uri", "an embedded store belongs to one process: name a Milvus server"
        )
