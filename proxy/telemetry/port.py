"""Prometheus's `/metrics`, on a port of its own: it has no credentials and is not for clients."""

from __future__ import annotations

import errno
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import web

from ..transport.connections import Runner
from .exposition import CONTENT_TYPE

log = logging.getLogger(__name__)


@asynccontextmanager
async def metrics_port(
    host: str, port: int | None, scrape: Callable[[], Awaitable[str]]
) -> AsyncIterator[None]:
    """Serve what `scrape` returns within the block; None or 0 serves nothing.

    If the port is taken, as by a second product on this machine, a free one is taken and named. An
    address that cannot be bound is a warning: chats do not depend on being watched.
    """
    if not port:
        yield
        return
    runner = Runner(_app(scrape))
    await runner.setup()
    try:
        await _listen(runner, host, port)
        yield
    finally:
        await runner.cleanup()


async def _listen(runner: Runner, host: str, port: int) -> None:
    try:
        taken = not await _started(runner, host, port)
        if taken:
            await _started(runner, host, 0)
    except OSError as error:
        log.warning(
            "no metrics: cannot listen on %s:%d: %s; see telemetry.metrics",
            host,
            port,
            error.strerror or error,
        )
        return
    where = ", ".join(f"{url}/metrics" for url in runner.urls)
    if taken:
        log.warning(
            "port %d is taken, perhaps by another Recollect: metrics are on %s; set "
            "telemetry.metrics to an address of its own",
            port,
            where,
        )
    else:
        log.info("metrics on %s", where)


async def _started(runner: Runner, host: str, port: int) -> bool:
    """Whether it listens; False if the port is taken. Raises OSError."""
    site = web.TCPSite(runner, host, port)
    try:
        await site.start()
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        await site.stop()
        return False
    return True


def _app(scrape: Callable[[], Awaitable[str]]) -> web.Application:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(body=(await scrape()).encode(), headers={"content-type": CONTENT_TYPE})

    app = web.Application()
    app.router.add_get("/metrics", answer)
    return app
