"""Learning inside this process."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from ..learn import LearnOptions
from ..tasks import Tasks
from ..types import Job, Scope
from .failures import Failures
from .loops import guarded, repeat
from .patience import POLL_SECONDS
from .sessions import Sessions
from .worker import Run, Worker

log = logging.getLogger(__name__)

MAX_IDLE_CHECK_SECONDS = 15.0
"""Longest interval between checks for idle conversations."""


@dataclass(slots=True)
class _Flush:
    """A call of `flush` and the runs of its scope so far."""

    scope: Scope | None
    runs: list[Run]

    def concerns(self, job: Job) -> bool:
        return self.scope is None or self.scope.admits(job.scope)


OnRun = Callable[[Run, int], None]
"""Called with each run and its start (nanoseconds since the epoch)."""


def unnoticed(_run: Run, _started: int) -> None:
    """The default `on_run`: does nothing."""


class Learning:
    """Runs `concurrency` jobs at a time with one worker."""

    def __init__(
        self,
        worker: Worker,
        sessions: Sessions,
        options: LearnOptions,
        on_run: OnRun = unnoticed,
        *,
        shared: bool = False,
    ) -> None:
        """`shared`: other processes use the same queue."""
        self._worker = worker
        self._sessions = sessions
        self._options = options
        self._on_run = on_run
        self._shared = shared
        self.failures = Failures()
        self._due = asyncio.Event()
        self._ended = asyncio.Condition()
        self._running = 0
        self._flushes: list[_Flush] = []
        self._stopping = False

    def wake(self) -> None:
        """Look at the queue now: a job was added, or a model became available."""
        self._due.set()

    def start(self, tasks: Tasks) -> None:
        """Start the loops. Cancel their tasks after `stop` to end them."""
        if self._options.in_process:
            for number in range(self._options.concurrency):
                tasks.start(self._work(), name=f"learning {number}")
        idle = self._options.idle_seconds
        check = repeat(min(idle / 4, MAX_IDLE_CHECK_SECONDS), lambda: self._enqueue("idle", idle))
        tasks.start(check, name="idle conversations")

    async def stop(self, seconds: float) -> None:
        """Learn the remaining jobs for up to `seconds`, then take no more.

        A job that is still running then returns to the queue when its task is cancelled.
        """
        try:
            async with asyncio.timeout(seconds):
                if not self._shared:
                    await guarded(lambda: self._sessions.enqueue("shutdown"))
                if self._options.in_process:
                    await guarded(lambda: self._run_all(None))
        except TimeoutError:
            log.info("the shutdown ends before all jobs are learned; they stay in the queue")
        self._stopping = True

    async def flush(self, scope: Scope | None) -> list[Run]:
        """Learn everything of a scope now and return its runs. Raises StateError."""
        flush = _Flush(scope, [])
        self._flushes.append(flush)
        try:
            await self._sessions.enqueue("flush", scope=scope)
            await self._run_all(scope)
        finally:
            self._flushes.remove(flush)
        return flush.runs

    async def ping(self) -> None:
        """Raise LearningError if learning fails again and again, StateError if the queue failed."""
        await self.failures.check(self._sessions.jobs)

    async def begin(self) -> None:
        """Enqueue the turns that an earlier process left unlearned.

        Call it before the first request: a conversation that goes on is not a finished session.
        """
        if not self._shared:
            await guarded(lambda: self._enqueue("startup"))

    async def _enqueue(self, reason: str, idle_seconds: float = 0) -> None:
        if await self._sessions.enqueue(reason, idle_seconds=idle_seconds):
            self.wake()

    async def _work(self) -> None:
        while not self._stopping:
            await guarded(self._take_jobs)
            self._due.clear()
            try:
                async with asyncio.timeout(POLL_SECONDS):
                    await self._due.wait()
            except TimeoutError:
                continue

    async def _take_jobs(self) -> None:
        while not self._stopping and await self._run_one() is not None:
            # There may be more jobs: wake the other loops too.
            self._due.set()

    async def _run_all(self, scope: Scope | None) -> None:
        """Run jobs until none can run now and no job of the scope runs in this process."""
        while True:
            if await self._run_one() is not None:
                continue
            async with self._ended:
                if not self._busy_with(scope):
                    return
                await self._ended.wait()

    def _busy_with(self, scope: Scope | None) -> bool:
        held = self._worker.held
        # A claim in progress may be for any scope.
        return len(held) < self._running or any(
            scope is None or scope.admits(job.scope) for job in held
        )

    async def _run_one(self) -> Run | None:
        started = time.time_ns()
        self._running += 1
        run = None
        try:
            run = await self._worker.run_one()
        finally:
            self._running -= 1
            async with self._ended:
                self._ended.notify_all()
        if run is not None:
            self._note(run, started)
        return run

    def _note(self, run: Run, started: int) -> None:
        self._on_run(run, started)
        self.failures.note(run)
        for flush in self._flushes:
            if flush.concerns(run.job):
                flush.runs.append(run)
        log.info(
            "job %s (%s): %s, %d facts, %d left out",
            run.job.id,
            run.job.reason,
            run.outcome.value,
            len(run.events),
            sum(run.rejected.values()),
        )
