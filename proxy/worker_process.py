"""Learning in a separate process, which shares database and store with the proxies."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from functools import partial

from recollect.config import Settings
from recollect.memory.engine.engine import Engine
from recollect.memory.model.errors import ConfigError

from .api.health import Health
from .reload import Read, Reloading, take
from .telemetry.port import metrics_port
from .telemetry.scrape import Scrape
from .telemetry.tracing import open_telemetry
from .webhook import delivering

log = logging.getLogger(__name__)


async def run_worker(
    settings: Settings,
    *,
    on_ready: Callable[[], None] | None = None,
    read: Read | None = None,
) -> None:
    """Take jobs until SIGINT or SIGTERM, then finish running jobs. SIGHUP is as for `serve`.

    Raises:
        ConfigError: two processes cannot share what is configured; names each key.
        RecollectError: a part could not be opened.
    """
    check_shareable(settings)
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    learn = settings.learn.model_copy(update={"in_process": True, "enabled": True})
    read_as, settings = settings, settings.model_copy(update={"learn": learn})
    reloading = None if read is None else Reloading(read_as, read, partial(take, settings))
    hangs_up = reloading is None or not reloading.listen()
    for number in (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hangs_up else [])):
        loop.add_signal_handler(number, stop.set)
    async with AsyncExitStack() as stack:
        await _run(settings, stack)
        if on_ready is not None:
            on_ready()
        await stop.wait()
        log.info("stopping")


async def _run(settings: Settings, stack: AsyncExitStack) -> None:
    """Open the engine, and start what runs."""
    telemetry = open_telemetry(settings.telemetry)
    stack.callback(telemetry.shutdown)
    engine = await stack.enter_async_context(
        Engine.open(settings, serving=True, on_run=telemetry.learned)
    )
    engine.tell_spending(telemetry.totals.spent)
    engine.injected.linked.append(telemetry.linked)
    await stack.enter_async_context(delivering(engine.feed, settings.events.webhook))
    await stack.enter_async_context(engine.running())
    scrape = Scrape(
        totals=telemetry.totals,
        jobs=Health({}, engine.parts.state.jobs).jobs,
        graph=lambda: {} if engine.graph is None else engine.graph.counted,
    )
    await stack.enter_async_context(metrics_port(*settings.telemetry.metrics_at, scrape.text))


def check_shareable(settings: Settings) -> None:
    """Check that a separate worker can run with these settings.

    Raises:
        ConfigError: it cannot; each line names a key and the expected value.
    """
    if problems := list(_unshareable(settings)):
        raise ConfigError("\n".join(problems))


def _unshareable(settings: Settings) -> Iterator[str]:
    if settings.learn.llm is None:
        yield "learn.llm: a worker has no client credentials: configure a model"
    if settings.database.kind != "postgres":
        yield "database.url: a worker shares the database of the proxies: use a PostgreSQL"
