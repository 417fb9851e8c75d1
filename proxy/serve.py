"""Runs the application until a signal stops it."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys
from collections.abc import Callable

from aiohttp import web

from recollect.config import Settings

from .app import build_app
from .transport.connections import Runner

log = logging.getLogger(__name__)

SHUTDOWN_SECONDS = 10.0
"""Longest time that a stopping server waits for running answers."""
SWITCH_SECONDS = 0.0005
MAX_HEADER_BYTES = 65_536
"""Limit of one header: a credential that carries a whole JWT exceeds aiohttp's default."""


async def serve(settings: Settings, *, on_ready: Callable[[str], None] | None = None) -> None:
    """Serve until SIGINT, SIGTERM or SIGHUP (the terminal closed), then finish running requests.

    Raises:
        OSError: the address is in use or does not belong to this machine.
        RecollectError: a part could not be opened.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop.set)
    runner = build_runner(settings)
    try:
        await runner.setup()
        site = web.TCPSite(runner, settings.listen.host, settings.listen.port)
        await site.start()
        settle()
        log.info("listening on %s, upstream %s", site_url(runner), settings.upstream.base_url)
        if on_ready is not None:
            on_ready(site_url(runner))
        await stop.wait()
        log.info("stopping")
    finally:
        await runner.cleanup()


def settle() -> None:
    """Exclude the objects that start-up made from garbage collection.

    A full collection walks half a million objects of pandas and similar libraries, which pauses
    every stream for 20 ms; none of these objects ever becomes garbage.
    """
    gc.collect()
    gc.freeze()
    # The longest that a computing thread (learning, redaction, an index) keeps the interpreter from
    # the loop; a request would pay the default of 5 ms at each of its dozen steps.
    sys.setswitchinterval(SWITCH_SECONDS)


def build_runner(settings: Settings) -> web.AppRunner:
    """The application with the transport settings a transparent proxy needs."""
    return Runner(
        build_app(settings),
        settings.listen,
        # A client that disconnects cancels its handler and with it the request upstream.
        handler_cancellation=True,
        # Compressed request bodies pass unchanged.
        auto_decompress=False,
        access_log=None,
        shutdown_timeout=SHUTDOWN_SECONDS,
        max_field_size=MAX_HEADER_BYTES,
        max_line_size=MAX_HEADER_BYTES,
    )


def site_url(runner: web.AppRunner) -> str:
    """The URL of a started runner's first site."""
    host, port = runner.addresses[0][:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
