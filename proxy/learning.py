"""The background: learning what is due, and keeping the store in shape."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from memory.errors import RecollectError
from memory.learn import LearnOptions
from memory.types import Scope
from memory.worker import Run, Worker

from .tasks import Tasks
from .telemetry import Telemetry

log = logging.getLogger(__name__)

POLL_SECONDS = 5.0
"""How often the queue is looked at without being woken: retries and lost leases come due."""
MAX_IDLE_CHECK_SECONDS = 15.0
"""How often silent conversations are looked for, at the most."""


class Learning:
    """Runs the worker inside the proxy's process, one job at a time."""

    def __init__(self, worker: Worker, options: LearnOptions, telemetry: Telemetry) -> None:
        self._worker = worker
        self._options = options
        self._telemetry = telemetry
        self._due = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()

    def wake(self) -> None:
        """A job was enqueued, or a model became available."""
        self._due.set()

    def start(self, tasks: Tasks) -> None:
        """Start the loops; they end when their tasks are cancelled."""
        tasks.start(self._work(), name="learning")
        interval = min(self._options.idle_seconds / 4, MAX_IDLE_CHECK_SECONDS)
        tasks.start(repeat(interval, self._check_idle), name="idle conversations")

    async def flush(self, scope: Scope | None) -> list[Run]:
        """Learn everything of a scope now; the runs of that scope, when they are done.

        Raises:
            StateError: the queue failed.
        """
        await self._worker.enqueue_pending("flush", scope=scope)
        runs = await self._drain()
        return [run for run in runs if scope is None or scope.admits(run.job.scope)]

    async def _work(self) -> None:
        await guarded(lambda: self._worker.enqueue_pending("startup"))
        while True:
            await guarded(self._drain)
            self._due.clear()
            try:
                async with asyncio.timeout(POLL_SECONDS):
                    await self._due.wait()
            except TimeoutError:
                continue

    async def _drain(self) -> list[Run]:
        async with self._one_at_a_time:
            runs = []
            while (run := await self._run_one()) is not None:
                runs.append(run)
            return runs

    async def _run_one(self) -> Run | None:
        started = time.time_ns()
        run = await self._worker.run_one()
        if run is not None:
            self._telemetry.learned(run, started)
            log.info(
                "job %s (%s): %s, %d facts",
                run.job.id,
                run.job.reason,
                run.outcome.value,
                len(run.events),
            )
        return run

    async def _check_idle(self) -> None:
        found = await self._worker.enqueue_pending("idle", idle_seconds=self._options.idle_seconds)
        if found:
            self.wake()


async def guarded(work: Callable[[], Awaitable[object]]) -> None:
    """Run one round of a loop: a failing part must not end the loop, the next round tries again."""
    try:
        await work()
    except RecollectError as error:
        log.warning("background work has to wait: %s: %s", error.code, error)
    except Exception:
        log.exception("background work failed in a way nobody thought of")


async def repeat(seconds: float, work: Callable[[], Awaitable[object]]) -> None:
    """Run `work` every so many seconds, whatever becomes of it."""
    while True:
        await asyncio.sleep(seconds)
        await guarded(work)
