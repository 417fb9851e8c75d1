"""Running the application until it is told to stop."""

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
"""Longest that running answers are waited for when the server stops."""
SWITCH_SECONDS = 0.0005
MAX_HEADER_BYTES = 65_536
"""Of one header: credentials that carry a whole JWT are longer than aiohttp's default."""


async def serve(settings: Settings, *, on_ready: Callable[[str], None] | None = None) -> None:
    """Serve until SIGINT, SIGTERM or SIGHUP (its terminal is gone), then finish what runs.

    Raises:
        OSError: the address is taken or not ours.
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
    """Take everything that start-up made out of the garbage collector's sight.

    A full collection walks half a million objects of pandas and its like, which is a pause of 20 ms
    in the middle of somebody's stream; none of them ever becomes garbage.
    """
    gc.collect()
    gc.freeze()
    # A thread that computes (learning, redaction, an index) gives the interpreter back to the loop
    # that often at the latest; the default of 5 ms is paid at each of a request's dozen steps.
    sys.setswitchinterval(SWITCH_SECONDS)


def build_runner(settings: Settings) -> web.AppRunner:
    """The application with the transport settings a transparent proxy needs."""
    return Runner(
        build_app(settings),
        settings.listen,
        # A client that is gone cancels its handler, and with it the upstream's work.
        handler_cancellation=True,
        # Compressed request bodies pass as they are.
        auto_decompress=False,
        access_log=None,
        shutdown_timeout=SHUTDOWN_SECONDS,
        max_field_size=MAX_HEADER_BYTES,
        max_line_size=MAX_HEADER_BYTES,
    )


def site_url(runner: web.AppRunner) -> str:
    """Where the first site of a started runner can be reached."""
    host, port = runner.addresses[0][:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
