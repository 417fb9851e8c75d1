"""Runs the application until a signal stops it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
import sys
from collections.abc import Callable, Iterator

from aiohttp import web

from recollect.config import Settings
from recollect.memory.util.heap import give_back, keep_no_large, loading
from recollect.memory.util.lazy_regex import compile_all
from recollect.memory.util.siblings import Sibling

from .app import HANDLERS, build_app
from .reload import Read, Reloading
from .transport.connections import Runner

log = logging.getLogger(__name__)

SWITCH_SECONDS = 0.0005
"""The longest that a computing thread (learning, redaction, an index) keeps the interpreter from
the loop: a request would pay the default of 5 ms at each of its dozen steps, and what loads beside
each other at the start at each file that it reads."""


class CannotListenError(Exception):
    """The address is in use or does not belong to this machine; the cause is the OSError."""


async def serve(
    settings: Settings,
    *,
    on_ready: Callable[[str], None] = lambda _url: None,
    sibling: Sibling | None = None,
    read: Read | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM, then finish running requests.

    With `read`, SIGHUP reads the configuration again, unless a terminal was closed.

    The port is tried first, but clients are accepted only when the first recall has what it needs.
    A signal before that ends the start. A `sibling` listens beside the other ones, on a port that
    their parent keeps for them.

    Raises:
        CannotListenError: the address cannot be used.
        RecollectError: a part could not be opened.
    """
    reloading = None if read is None else Reloading(settings, read)
    stop = Stop(hangs_up=reloading is None or not reloading.listen())
    if sibling is None:
        await try_port(settings)
    runner = build_runner(settings, sibling)
    try:
        await _listen(runner, settings, shares_port=sibling is not None)
        stop.started = True
        log.info("listening on %s, upstream %s", runner.urls[0], settings.upstream.shown)
        on_ready(runner.urls[0])
        await asyncio.to_thread(compile_all)
        await stop.wait()
        log.info("stopping: waits some seconds for answers that run, and for turns to be learned")
    except asyncio.CancelledError:
        if not stop.asked:
            raise
        log.info("stopped before it was ready")
    finally:
        if reloading is not None:
            await reloading.end()
        await runner.cleanup()


async def _listen(runner: Runner, settings: Settings, *, shares_port: bool) -> None:
    """Open every part, and accept clients; from now on somebody waits for the loop."""
    sys.setswitchinterval(SWITCH_SECONDS)
    keep_no_large()
    with loading():
        await runner.setup()
    settle()
    with _listening(settings):
        host, port = settings.listen.host, settings.listen.port
        await web.TCPSite(runner, host, port, reuse_port=shares_port or None).start()
    runner.app[HANDLERS].watchdog.begin()


class Stop:
    """A signal to stop: cancels the task that starts the server, or ends its waiting."""

    def __init__(self, *, hangs_up: bool = True) -> None:
        """`hangs_up`: whether SIGHUP is one of them."""
        self.started = False
        self._event = asyncio.Event()
        self._task = asyncio.current_task()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hangs_up else [])):
            loop.add_signal_handler(number, self._ask)

    @property
    def asked(self) -> bool:
        """Whether it came."""
        return self._event.is_set()

    async def wait(self) -> None:
        """Until it comes."""
        await self._event.wait()

    def _ask(self) -> None:
        first = not self._event.is_set()
        self._event.set()
        if first and not self.started and self._task is not None:
            self._task.cancel()


async def try_port(settings: Settings) -> None:
    """Bind the address and release it: a taken port is told before anything is loaded."""
    with _listening(settings):
        server = await asyncio.get_running_loop().create_server(
            asyncio.Protocol,
            settings.listen.host,
            settings.listen.port,
            start_serving=False,
        )
        server.close()


@contextlib.contextmanager
def _listening(settings: Settings) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        where = f"{settings.listen.host}:{settings.listen.port}"
        raise CannotListenError(where) from error


def settle() -> None:
    """Exclude the objects that start-up made from garbage collection, and give back free memory.

    A full collection walks hundreds of thousands of objects of the packs of languages and similar
    tables, which pauses every stream for 20 ms. None of these objects ever becomes garbage, and
    there is none yet that would be worth a collection now.
    """
    gc.freeze()
    # Files that were read and parsed leave 20 MB behind that no one needs again.
    give_back()


def build_runner(settings: Settings, sibling: Sibling | None = None) -> Runner:
    """The application, ready to listen."""
    return Runner(build_app(settings, sibling))
