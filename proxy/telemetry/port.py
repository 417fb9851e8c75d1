"""Prometheus's `/metrics`, on a port of its own: it has no credentials and is not for clients."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import web

from .exposition import CONTENT_TYPE

log = logging.getLogger(__name__)


@asynccontextmanager
async def metrics_port(
    host: str, port: int | None, scrape: Callable[[], Awaitable[str]]
) -> AsyncIterator[None]:
    """Serve what `scrape` returns within the block; None or 0 serves nothing.

    A port that cannot be bound is a warning: chats do not depend on being watched.
    """
    if not port:
        yield
        return
    runner = web.AppRunner(_app(scrape), access_log=None, handle_signals=False)
    await runner.setup()
    try:
        await _listen(runner, host, port)
        yield
    finally:
        await runner.cleanup()


async def _listen(runner: web.AppRunner, host: str, port: int) -> None:
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        log.warning(
            "no metrics: cannot listen on %s:%d: %s; see telemetry.metrics.port",
            host,
            port,
            error.strerror or error,
        )
    else:
        log.info("metrics on http://%s:%d/metrics", host, port)


def _app(scrape: Callable[[], Awaitable[str]]) -> web.Application:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(body=(await scrape()).encode(), headers={"content-type": CONTENT_TYPE})

    app = web.Application()
    app.router.add_get("/metrics", answer)
    return app
