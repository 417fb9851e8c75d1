"""Learning inside this process."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from ..learn import LearnOptions
from ..model.errors import SaidOnlyError
from ..model.types import JobReport, JobState, OwnerRef, Scope
from ..util.clock import CLOCK, Clock
from ..util.correlation import correlated
from ..util.loops import guarded, repeat
from ..util.lru import Lru
from ..util.tasks import Tasks
from .flushing import (
    MAX_OPEN,
    FlushProgress,
    can_go_on,
    concerns,
    end_stretches,
    go_on,
    open_jobs,
    try_now,
    waiting_of,
)
from .learning_failures import Failures, is_for_want_of_a_model
from .runs import Run, job_ids
from .sessions import Sessions
from .worker import Worker

log = logging.getLogger(__name__)

POLL_SECONDS = 5.0
"""Interval of polling the queue: retries and expired leases become due, and other processes add
jobs."""
MAX_IDLE_CHECK_SECONDS = 15.0
"""Longest interval between checks for idle conversations."""
MAX_REVIVED = 10_000
"""Dead jobs of which it is known that they were tried again."""
TICK_SECONDS = 1.0
"""Longest interval between two reports of a flush."""


@dataclass(slots=True)
class _Flush:
    """A call of `flush` and the runs of its scope so far."""

    scope: Scope | None
    runs: list[Run]
    error: Exception | None = None
    """Why the jobs it waits for do not run on."""


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
        clock: Clock = CLOCK,
    ) -> None:
        """`shared`: other processes use the same queue."""
        self._worker = worker
        self._sessions = sessions
        self._standings = worker.extracting.trials.standings
        self._options = options
        self._on_run = on_run
        self._shared = shared
        self._clock = clock
        self.failures = Failures(expected=options.llm is None, clock=clock)
        self._revived: Lru[str, bool] = Lru(MAX_REVIVED)
        self._due = asyncio.Event()
        self._ended = asyncio.Condition()
        self._running = 0
        self._runs = 0
        self._runners = Tasks()
        self._flushes: list[_Flush] = []
        self._stopping = False

    def wake(self) -> None:
        """Look at the queue now: a job was added."""
        self._due.set()

    def another_model(self, tenant: str) -> None:
        """A tenant's client uses another model than before: what waited for one goes on."""
        self.wake()
        # Asked after many requests of a client that alternates; a queue may be long.
        if self._shared or self.failures.trouble is not None:
            self._runners.start(guarded(lambda: self._go_on(tenant)), name="another model")

    def start(self, tasks: Tasks) -> None:
        """Start the loops. Cancel their tasks after `stop` to end them."""
        if self._options.in_process:
            for number in range(self._options.concurrency):
                tasks.start(self._work(), name=f"learning {number}")
        idle = self._options.idle_seconds
        often = min(idle / 4, MAX_IDLE_CHECK_SECONDS)
        check = repeat(often, lambda: self._enqueue("idle", idle), self._clock)
        tasks.start(check, name="idle conversations")

    async def stop(self, seconds: float) -> None:
        """Learn the remaining jobs for up to `seconds`, then take no more.

        A job that is still running then returns to the queue when its task is cancelled.
        """
        if not await self._clock.within(seconds, self._learn_what_is_left()):
            log.info("the shutdown ends before all jobs are learned; they stay in the queue")
        self._stopping = True

    async def _learn_what_is_left(self) -> None:
        if not self._shared:
            await guarded(lambda: self._sessions.enqueue("shutdown"))
        if self._options.in_process:
            await guarded(self._run_all)
            if not self._shared:
                await guarded(self._end_stretches)

    async def flush(self, scope: Scope | None) -> list[Run]:
        """Learn everything of a scope now and return its runs.

        Jobs of other scopes that it began to run end before it returns. Raises as `flushing`.
        """
        runs: tuple[Run, ...] = ()
        async for progress in self.flushing(scope, seconds=math.inf):
            runs = progress.runs
        await self._runners.join()
        return list(runs)

    async def flushing(
        self, scope: Scope | None, *, seconds: float
    ) -> AsyncIterator[FlushProgress]:
        """Learn everything of a scope now and report how far it is, for up to `seconds`.

        A job that waits for a part which was missing is tried at once. A report follows each run,
        and at least one each second, until it is the `last`: no job of the scope can run now, or
        the time is over. Jobs continue if nobody waits for them any more.
        Raises StateError, and what a job that ran for a flush raised unexpectedly.
        """
        flush, began = _Flush(scope, []), self._clock.monotonic()
        self._flushes.append(flush)
        try:
            await self._sessions.enqueue("flush", scope=scope)
            await try_now(self._sessions.jobs, self._standings, scope, self._clock.now())
            self._drive(self._options.concurrency)
            while True:
                if flush.error is not None:
                    raise flush.error
                known = self._runs
                progress = await self._progress(flush, began, seconds)
                yield progress
                if progress.last:
                    return
                self._drive(1)
                await self._next_run(known, min(TICK_SECONDS, seconds - progress.seconds))
        finally:
            self._flushes.remove(flush)

    async def working(self, *, seconds: float) -> AsyncIterator[None]:
        """Have jobs run that can run now, for up to `seconds`; they continue afterwards.

        Yields after each run and at least each second, and ends early if no job may be begun.
        """
        began = self._clock.monotonic()
        while not (self._stopping or self._worker.paused):
            known, left = self._runs, seconds - (self._clock.monotonic() - began)
            if left <= 0:
                return
            self._drive(1)
            await self._next_run(known, min(TICK_SECONDS, left))
            yield

    async def leave(self) -> None:
        """Return the jobs that still run for a flush to the queue; take no more."""
        self._stopping = True
        await self._runners.drain(0)

    async def ping(self) -> None:
        """Raise LearningError if learning fails again and again, StateError if the queue failed.

        SaidOnlyError if no model is to be asked.
        """
        if not self._options.hourly_calls:
            raise SaidOnlyError
        await self.failures.check(self._sessions.jobs)

    async def begin(self) -> None:
        """Enqueue the turns that an earlier process left unlearned.

        Call it before the first request: a conversation that goes on is not a finished session.
        """
        if not self._shared:
            await guarded(lambda: self._enqueue("startup"))
        # The model may have been changed since: whether it may be asked is found out for each.
        await guarded(lambda: self._go_on(None))

    async def _enqueue(self, reason: str, idle_seconds: float = 0) -> None:
        if await self._sessions.enqueue(reason, idle_seconds=idle_seconds):
            self.wake()

    async def _work(self) -> None:
        while not self._stopping:
            await guarded(self._take_jobs)
            self._due.clear()
            await self._clock.within(self._clock.together(POLL_SECONDS), self._due.wait())

    async def _take_jobs(self) -> None:
        while not self._stopping and await self._run_one() is not None:
            # There may be more jobs: wake the other loops too.
            self._due.set()

    async def _run_all(self) -> None:
        """Run jobs until none can run now and none runs in this process."""
        while True:
            if await self._run_one() is not None:
                continue
            async with self._ended:
                if not self._busy_with(None):
                    return
                await self._ended.wait()

    async def _end_stretches(self) -> None:
        """Write the episodes that wait for the end of conversations: nobody else may do it soon."""
        if await end_stretches(
            self._sessions.jobs, await self._open_jobs(None), None, self._clock.now()
        ):
            await self._run_all()

    def _busy_with(self, scope: Scope | None) -> bool:
        held = self._worker.held
        # A claim in progress may be for any scope.
        return len(held) < self._running or any(concerns(scope, job) for job in held)

    async def _run_one(self) -> Run | None:
        started = time.time_ns()
        self._running += 1
        run = None
        try:
            run = await self._worker.run_one()
        finally:
            self._running -= 1
            self._runs += run is not None
            async with self._ended:
                self._ended.notify_all()
        if run is not None:
            with correlated(job_ids(run.job)):
                self._note(run, started)
        return run

    def _drive(self, most: int) -> None:
        """Have jobs run in a task of its own, so that nobody who waits for them can stop them."""
        if len(self._runners) < most and not self._stopping:
            self._runners.start(self._take_jobs_for_flushes(), name="flush")
        self.wake()

    async def _take_jobs_for_flushes(self) -> None:
        try:
            await self._take_jobs()
        except Exception as error:  # noqa: BLE001 - raised by each flush that waits
            async with self._ended:
                self._runs += 1
                for flush in self._flushes:
                    flush.error = error
                self._ended.notify_all()

    async def _progress(self, flush: _Flush, began: float, seconds: float) -> FlushProgress:
        # Before reading too: a job that returns to the queue in between may be in neither list.
        busy = self._busy_with(flush.scope)
        open_jobs = await self._open_jobs(flush.scope)
        now, passed = self._clock.now(), self._clock.monotonic() - began
        # What is learned now is over: who asks for it has asked for its episode too.
        busy |= await end_stretches(self._sessions.jobs, open_jobs, flush.scope, now)
        busy = busy or self._busy_with(flush.scope) or can_go_on(open_jobs, flush.scope, now)
        return FlushProgress(
            runs=tuple(flush.runs),
            waiting=waiting_of(open_jobs, flush.scope, now),
            seconds=passed,
            last=not busy or passed >= seconds or self._stopping or self._worker.paused,
        )

    async def try_now(self, owner_ref: OwnerRef) -> None:
        """Run what rests for want of a part, of a tenant or a scope, at somebody's request."""
        await try_now(self._sessions.jobs, self._standings, owner_ref, self._clock.now())
        self.wake()

    async def _go_on(self, tenant: str | None) -> None:
        await go_on(self._sessions.jobs, tenant, self._clock.now())
        self.wake()

    async def _open_jobs(self, scope: Scope | None) -> list[JobReport]:
        return await open_jobs(self._sessions.jobs, None if scope is None else scope.tenant)

    async def _next_run(self, known: int, seconds: float) -> None:
        """Wait until a run has ended that was not `known`, or so many seconds."""

        async def ended() -> None:
            async with self._ended:
                await self._ended.wait_for(lambda: self._runs != known)

        await self._clock.within(max(0.0, seconds), ended())

    async def _revive(self, run: Run) -> None:
        """Go on with what waits for a usable model, and retry what died for want of one.

        Each dead job once in this process. What a model that reads others cannot read is not among
        them: that would be the same calls again.
        """
        tenant = run.job.scope.tenant
        dead = await self._sessions.jobs.reports(tenant, state=JobState.DEAD, limit=MAX_OPEN)
        revived = 0
        for report in dead:
            if is_for_want_of_a_model(report) and self._revived.get(report.job.id) is None:
                self._revived.put(report.job.id, value=True)
                revived += await self._sessions.jobs.revive(report.job.id)
        if revived:
            log.info("a model can be learned from: %d dead jobs are tried again", revived)
        await self._go_on(tenant)

    def _note(self, run: Run, started: int) -> None:
        self._on_run(run, started)
        if self.failures.note(run):
            self._runners.start(guarded(lambda: self._revive(run)), name="revive")
        for flush in self._flushes:
            if concerns(flush.scope, run.job):
                flush.runs.append(run)
        log.info(
            "job %s (%s): %s, %d facts, %d left out",
            run.job.id,
            run.job.reason,
            run.outcome.value,
            len(run.events),
            sum(run.rejected.values()),
        )
