"""The engine's background loops: learning, retention, usage and pruning."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from functools import partial

from ..forget import Forgetter, Retention
from ..jobs.learning import Learning, OnRun, unnoticed
from ..jobs.reflections import ReflectionJobs
from ..jobs.requested_upkeep import UpkeepCalls
from ..jobs.scheduling import LOOK_SECONDS, ConsolidationSchedule
from ..jobs.sessions import Sessions
from ..jobs.topic_drift import Drift
from ..jobs.worker import Worker
from ..learn import Learner, drift_bound
from ..memories import prune_log
from ..model.errors import UpkeepRestsError
from ..model.jobs import JobKind
from ..model.ports import ModelSource
from ..model.types import Recorded, Turn
from ..model.upkeep import KEEP_RUNS_DAYS
from ..records.parts import Parts
from ..statements.remaining_words import RemainingWords
from ..upkeep.paused_kinds import paused
from ..util.clock import CLOCK, Clock
from ..util.registry import Registry
from ..util.tasks import Tasks
from .options import EngineOptions

RETENTION_SECONDS = 600.0
"""Interval between checks for memories that are too old or too many."""
PRUNE_SECONDS = 3600.0
"""Interval between removals of what is kept for a time: old turns, runs, marks and changes."""
USAGE_SECONDS = 5.0
"""Interval between countings of the memories that turns were shown."""
KEEP_CHANGES_DAYS = 7
"""How long the log of changes is kept: an index that was away for longer is rebuilt."""
KEEP_JOBS_DAYS = 7
"""How long jobs that are done are listed. None of them would be made a second time: its turns are
learned, and the run of its upkeep is kept for longer."""
KEEP_MARKS_DAYS = 90
"""How long it is known what was counted, if turns are kept forever."""
DRAIN_SECONDS = 10.0
"""Longest time a shutdown continues to learn. Kubernetes kills a pod 30 s after SIGTERM."""


class Background:
    """The loops of one engine. They run only inside `running`."""

    def __init__(
        self,
        parts: Parts,
        learner: Learner,
        forgetter: Forgetter,
        models: ModelSource,
        options: EngineOptions,
        on_run: OnRun = unnoticed,
        *,
        clock: Clock = CLOCK,
    ) -> None:
        """`models` finds the model of a job; `on_run` is called after each run of a job."""
        state, learn = parts.state, options.learn
        self.leads = parts.sibling_messages is None or parts.sibling_messages.sibling.leads
        """Whether this process does what is done once for all that share the parts."""
        # With a part missing, a job would pay for a model call whose result cannot be stored.
        self._learns = learn.enabled and state.missing is None
        self._parts = parts
        self._options = options
        self._clock = clock
        self.worker = _worker(parts, learner, models, options, clock)
        sessions = Sessions(
            state.conversations, state.jobs, max_queued=learn.max_queued, clock=clock
        )
        self.learning = Learning(
            self.worker, sessions, learn, on_run, shared=state.shared, clock=clock
        )
        self.calls = UpkeepCalls(parts.store, state, self.worker.upkeep, self.learning)
        self.schedule = ConsolidationSchedule(
            parts.store,
            state,
            self.worker.upkeep,
            self.worker.extracting,
            options.upkeep,
            on_due=self.learning.wake,
            clock=clock,
        )
        self.retention = Retention(
            parts,
            forgetter,
            options.retention,
            waits=options.trust.review.days,
            clock=clock,
        )
        self._drift = Drift(
            state.conversations,
            state.jobs,
            parts.embedder,
            threshold=drift_bound(parts.calibration),
            max_queued=learn.max_queued,
            on_due=self.learning.wake,
        )

    async def ping_upkeep(self, tenant: str | None) -> None:
        """Raise UpkeepRestsError if a kind of upkeep waits for a model, StateError if that failed.

        Of a server for many tenants nothing is known before one of them asks: None.
        """
        if tenant is None:
            return
        why = await self.worker.extracting.why_no_model(tenant, JobKind.CONSOLIDATE)
        if found := paused(self._options.upkeep, why=why):
            raise UpkeepRestsError(found.told)

    def recorded(self, turn: Turn, recorded: Recorded) -> None:
        """Queue a recorded turn for the topic check."""
        if self._options.learn.drift:
            self._drift.note(turn, recorded)

    async def prune(self) -> int:
        """Remove what is kept for a time only; returns of how many turns the texts."""
        state, days = self._parts.state, self._options.retention.erase_days.turns
        now = self._clock.now()
        before = now - timedelta(days=KEEP_MARKS_DAYS if days is None else days)
        await prune_log(state.scripts, before=now - timedelta(days=KEEP_CHANGES_DAYS))
        await state.usage.prune(before=before)
        await state.jobs.prune(before=now - timedelta(days=KEEP_JOBS_DAYS))
        await state.runs.prune(before=now - timedelta(days=KEEP_RUNS_DAYS))
        if days is not None:
            await state.deeds.prune(before=now - timedelta(days=days))
        erased = await self.prune_turns()
        if erased:
            await state.deeds.forget_unsaid()
        return erased

    async def prune_turns(self) -> int:
        """Erase the texts of turns that are kept no longer (`erase_days.turns`); of how many."""
        days = self._options.retention.erase_days.turns
        if days is None:
            return 0
        before = self._clock.now() - timedelta(days=days)
        return await self._parts.state.conversations.prune(learned_before=before)

    async def count_recalls(self) -> int:
        """Count the memories that recorded turns were shown; returns of how many notes."""
        count = 0
        while done := await self._parts.state.usage.settle():
            count += done
        return count

    def register(self, registry: Registry) -> None:
        """What is done again and again, how learning is, and what ends with it."""
        add = partial(registry.register, clock=self._clock)
        if self.leads:
            add("retention", run=self.retention.run, every=RETENTION_SECONDS)
            add("old turns", run=self.prune, every=PRUNE_SECONDS)
        if self.leads and self._parts.state.missing is None:
            add("usage", run=self.count_recalls, every=USAGE_SECONDS)
        if self._learns:
            add("topic drift", run=self._drift.run)
        if self._learns and self.leads:
            add("schedule", run=self.schedule.look, every=LOOK_SECONDS)
        # A call of upkeep in a program without background work may have left a job running.
        add("learning", ping=self.learning.ping, close=self.learning.leave)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Learn; on exit, learning continues for up to `DRAIN_SECONDS`."""
        loops = Tasks()
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self.learning.leave)
            stack.push_async_callback(loops.drain, 0)
            if self._learns:
                await self.learning.begin()
                self.learning.start(loops)
                stack.push_async_callback(self.learning.stop, DRAIN_SECONDS)
            yield


def _worker(
    parts: Parts, learner: Learner, models: ModelSource, options: EngineOptions, clock: Clock
) -> Worker:
    """What runs the jobs, with the upkeep that follows them."""
    upkeep = options.upkeep
    worker = Worker(parts, learner, models, options.learn, clock=clock)
    worker.extracting.upkeep = upkeep
    worker.left = RemainingWords(parts).left
    worker.episodes.follows = upkeep.enabled and upkeep.kinds.episodes
    reflections = ReflectionJobs(parts.store, parts.state, worker.upkeep, upkeep, clock=clock)
    worker.after.append(reflections.follow)
    return worker
