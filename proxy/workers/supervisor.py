"""The parent of the workers: owns the embedded parts and the port, starts workers, and ends them.

It answers no request. While it lives a worker that dies is started again; if it dies itself, the
workers and the embedded store end at once, as one process would.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

from recollect.config import Settings
from recollect.memory.engine.embedded_parts import owning
from recollect.memory.model.errors import RecollectError
from recollect.memory.util.siblings import Sibling
from recollect.memory.util.tasks import Tasks

from ..reload import Read, Reloading
from ..serve import CannotListenError, Stop, try_port
from .child import Assignment, packed
from .port import reserved
from .worker_numbers import HEALTHY_SECONDS, pause
from .worker_roll import Roll

log = logging.getLogger(__name__)

STOP_SECONDS = 40.0
"""Longest time that a worker may take to finish what it does, before it is killed."""

_CHILD = """import sys
sys.path[:] = sys.argv[1:]
from recollect.proxy.workers.child import main
sys.exit(main())
"""
TRIES, AGAIN_SECONDS = 10, 0.1
"""Tries of a port that is taken, and the pauses between them."""


class CannotStartError(RecollectError):
    """A worker could not start; the message is its own."""

    code = "worker_not_started"


async def supervise(
    settings: Settings,
    count: int,
    *,
    on_ready: Callable[[str], None] | None = None,
    read: Read | None = None,
) -> None:
    """Run so many workers until SIGINT or SIGTERM; then they finish running requests.

    SIGHUP is as for one process: see `serve`.

    `on_ready` is called when all of them serve. A signal before that ends the start.

    Raises:
        CannotListenError: the address cannot be used.
        RecollectError: a part could not be opened, or a worker could not start.
    """
    workers: Workers | None = None

    def told(values: Mapping[str, Any]) -> None:
        if workers is not None:
            workers.tell(values)

    reloading = None if read is None else Reloading(settings, read, told)
    stop = Stop(hangs_up=reloading is None or not reloading.listen())
    await _try_port(settings)
    try:
        async with _workers(settings, count) as workers:
            url = await workers.ready()
            stop.started = True
            log.info("%d workers listen on %s", count, url)
            if on_ready is not None:
                on_ready(url)
            await stop.wait()
            log.info("stopping: the workers finish what they do")
    except asyncio.CancelledError:
        if not stop.asked:
            raise
        log.info("stopped before it was ready")


async def _try_port(settings: Settings) -> None:
    """As for one process; the workers of a parent that was killed let go of it in a moment."""
    for _ in range(TRIES):
        try:
            await try_port(settings)
        except CannotListenError:
            await asyncio.sleep(AGAIN_SECONDS)
        else:
            return
    await try_port(settings)


@contextlib.asynccontextmanager
async def _workers(settings: Settings, count: int) -> AsyncIterator[Workers]:
    with _folder() as shared:
        async with _port(settings) as port, owning(settings):
            listen = settings.listen.model_copy(update={"port": port})
            workers = Workers(settings.model_copy(update={"listen": listen}), shared, count)
            try:
                workers.start()
                yield workers
            finally:
                await workers.stop()


@contextlib.contextmanager
def _folder() -> Any:
    """A folder that only this user can enter: sockets in it are as good as the memories."""
    folder = Path(tempfile.mkdtemp(prefix="recollect-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.asynccontextmanager
async def _port(settings: Settings) -> AsyncIterator[int]:
    async with contextlib.AsyncExitStack() as stack:
        host, port = settings.listen.host, settings.listen.port
        try:
            found = await stack.enter_async_context(reserved(host, port))
        except OSError as error:
            raise CannotListenError(f"{host}:{port}") from error
        yield found


class Workers:
    """The worker processes of one parent."""

    def __init__(self, settings: Settings, shared: Path, count: int) -> None:
        self._settings = settings
        self._shared = shared
        self._count = count
        self._roll = Roll(shared, count)
        self._tasks = Tasks()
        self._processes: dict[int, asyncio.subprocess.Process] = {}
        self._serving: set[int] = set()
        self._url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._ending = False

    def start(self) -> None:
        """Start all of them; returns at once."""
        for number in range(self._count):
            self._tasks.start(self._keep(number), name=f"worker {number + 1}")

    async def ready(self) -> str:
        """The URL, once all of them serve. Raises CannotStartError if one cannot."""
        return await self._url

    def tell(self, values: Mapping[str, Any]) -> None:
        """Let these values of a changed configuration count in all of them."""
        for process in self._processes.values():
            if process.stdin is not None:
                process.stdin.write(packed(dict(values)))

    async def stop(self) -> None:
        """Let them finish; whoever takes too long is killed."""
        self._ending = True
        for process in self._processes.values():
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_SECONDS):
                await self._tasks.join()
        for number, process in self._processes.items():
            log.warning("worker %d did not end in time: killed", number + 1)
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await self._tasks.join()

    async def _keep(self, number: int) -> None:
        """Run one worker, and the next one in its place when it dies."""
        deaths = 0
        while not self._ending:
            began = time.monotonic()
            status, told = await self._run(number)
            if self._ending:
                return
            if not self._url.done():
                self._url.set_exception(CannotStartError(told or _ended(status)))
                return
            deaths = 1 if time.monotonic() - began > HEALTHY_SECONDS else deaths + 1
            seconds = pause(deaths)
            log.error(
                "worker %d ended (%s): started again%s",
                number + 1,
                told or _ended(status),
                f" in {seconds:g} s" if seconds else "",
            )
            await asyncio.sleep(seconds)

    async def _run(self, number: int) -> tuple[int, str]:
        """From start to end: the exit status, and why it could not serve."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-c", _CHILD, *sys.path),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # It imports from where this process does, and not from the current folder (-P).
            # Ctrl-C must end only the parent, which ends them in order.
            start_new_session=True,
        )
        self._processes[number] = process
        if self._ending:
            process.terminate()
        try:
            told = await self._hear(number, process)
            return await process.wait(), told
        finally:
            self._roll.note(number, None)
            self._serving.discard(number)
            del self._processes[number]

    async def _hear(self, number: int, process: asyncio.subprocess.Process) -> str:
        """Assign its work and hear what it says, until it ends; why it could not serve."""
        assert process.stdin is not None  # noqa: S101 - asked for at its start
        assert process.stdout is not None  # noqa: S101 - asked for at its start
        sibling = Sibling(self._shared, number, self._count)
        told = ""
        with contextlib.suppress(ConnectionError):
            process.stdin.write(packed(Assignment(self._settings, sibling)))
            await process.stdin.drain()
        while line := await process.stdout.readline():
            said = json.loads(line)
            told = said.get("cannot", told)
            if "url" in said:
                self._serves(number, process.pid, said["url"])
        return told

    def _serves(self, number: int, pid: int, url: str) -> None:
        log.info("worker %d is process %d", number + 1, pid)
        self._roll.note(number, pid)
        self._serving.add(number)
        if len(self._serving) == self._count and not self._url.done():
            self._url.set_result(url)


def _ended(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit status {status}"
