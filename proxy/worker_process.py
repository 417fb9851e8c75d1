"""Learning in a process of its own, beside proxies that share its state and its store."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack

from config import Settings
from memory.errors import InvalidInputError
from memory.stores import is_remote
from memory.trust.redact import Redactor

from .access.credentials import FixedModel
from .backends import maintain_seconds, open_backends
from .learning import repeat
from .learning_parts import compose_learning, start_learning
from .tasks import Tasks
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
    async with AsyncExitStack() as stack:
        await _start(settings, stack)
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
    if not is_remote(settings.store):
        raise InvalidInputError(
            "store.uri", "an embedded store belongs to one process: name a Milvus server"
        )


async def _start(settings: Settings, stack: AsyncExitStack) -> None:
    builds = Tasks()
    backends = await open_backends(settings, builds, stack)
    stack.push_async_callback(builds.drain, 0)
    telemetry = open_telemetry(settings.telemetry)
    stack.callback(telemetry.shutdown)
    assert settings.learn.llm is not None  # noqa: S101 - see check_shareable
    models = FixedModel(settings.learn.llm)
    stack.push_async_callback(models.close)
    own = settings.learn.model_copy(update={"in_process": True, "enabled": True})
    settings = settings.model_copy(update={"learn": own})
    redactor = Redactor(settings.learn.redact)
    parts = compose_learning(settings, backends, models, telemetry, stack, redactor=redactor)
    loops = Tasks()
    loops.start(
        repeat(maintain_seconds(settings), backends.store.maintain), name="store maintenance"
    )
    stack.push_async_callback(loops.drain, 0)
    await start_learning(parts, settings, stack)
