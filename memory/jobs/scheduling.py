"""Finds the scopes whose memories are to be consolidated, and enqueues a job for each.

Now and then the store counts the memories of every scope, without texts and vectors; a larger store
is counted more rarely, so that counting takes a bounded share of a core. Between two counts only
the scopes that changed are asked about, some at a time and those of each tenant in turn. What was
done is read from the runs of upkeep, so nothing else has to be kept.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta

from ..memories import SqlMemories
from ..model.across_scopes import ScopeCount
from ..model.filters import Condition, Operator, field_of
from ..model.jobs import JobKind
from ..model.times import to_ms
from ..model.types import Scope
from ..model.upkeep import UpkeepRun
from ..state import State
from ..upkeep import UpkeepOptions
from ..upkeep.consolidate.schedule import (
    ScopeProgress,
    due,
    exactly,
    in_turn,
    is_worth_a_look,
    job_name,
)
from ..util.clock import CLOCK, Clock
from ..util.idle_gate import Pause, at_once
from ..util.lru import Lru
from .extraction_limits import ExtractionLimits
from .upkeep import UpkeepJobs, upkeep_job

LOOK_SECONDS = 60.0
"""Interval of the rounds."""
LEAST_SECONDS = 600.0
"""The store is counted at most so often."""
ROWS_A_SECOND = 1000
"""After so many rows, a second passes before they are counted again."""
MOST_LOOKED = 200
"""Scopes that a round asks about: a few reads each."""
MOST_OPEN = 8
"""Jobs of its own that may wait or run at a time: the queue takes the oldest job first, and
learning is not to wait for many. It counts no others, which may rest for days."""
OPEN_HOURS = 1
"""A job that has not ended by then is not waited for."""
MOST_KNOWN = 100_000
"""Scopes of which it is known how they were. One that is forgotten is asked about again."""
MOST_RUNS = 50
"""Runs among which the last one of a scope is looked for: scopes below it have runs too."""


class ConsolidationSchedule:
    """For one process of those that share a state; a second one enqueues the same jobs."""

    def __init__(
        self,
        store: SqlMemories,
        state: State,
        upkeep: UpkeepJobs,
        extracting: ExtractionLimits,
        options: UpkeepOptions,
        *,
        on_due: Callable[[], None] = lambda: None,
        clock: Clock = CLOCK,
    ) -> None:
        """`on_due` is called after jobs were added."""
        self.pause: Pause = at_once
        """Awaited between scopes."""
        self._store = store
        self._runs = state.runs
        self._upkeep = upkeep
        self._extracting = extracting
        self._options = options
        self._on_due = on_due
        self._clock = clock
        self._due_at: datetime | None = None
        self._counted: dict[Scope, ScopeCount] = {}
        self._waiting: deque[Scope] = deque()
        self._open: dict[str, tuple[str, datetime]] = {}
        """The jobs that were added, with their tenant and when."""
        self._settled: Lru[Scope, tuple[datetime, int]] = Lru(MOST_KNOWN)
        """How scopes were when nothing was changed in them since their last run."""
        self._active: Lru[Scope, int] = Lru(MOST_KNOWN)
        """Their active memories when they were enqueued: what is backdated looks old."""

    @property
    def on(self) -> bool:
        """Whether anything is consolidated without a call."""
        return JobKind.CONSOLIDATE in self._upkeep.kinds and self._options.enabled

    async def look(self) -> int:
        """One round; returns how many jobs it added. Raises StoreError and StateError."""
        if not self.on:
            return 0
        if not self._waiting:
            await self._count()
        room = MOST_OPEN - await self._still_open()
        looked = added = 0
        while self._waiting and added < room and looked < MOST_LOOKED:
            # Taken out first: a scope that fails must not block the others.
            scope = self._waiting.popleft()
            added += await self._enqueued(scope, self._counted[scope])
            looked += 1
            await self.pause()
        if added:
            self._on_due()
        return added

    async def _count(self) -> None:
        """Count the store, if it is time, and list what changed."""
        now = self._clock.now()
        if self._due_at is not None and now < self._due_at:
            return
        found = (await self._store.tally(None)).scopes
        rows = sum(counted.rows for counted in found.values())
        self._due_at = now + timedelta(seconds=max(LEAST_SECONDS, rows / ROWS_A_SECOND))
        self._counted = {
            scope: counted for scope, counted in found.items() if is_worth_a_look(counted)
        }
        self._waiting.extend(
            in_turn(
                scope
                for scope, counted in self._counted.items()
                if self._settled.get(scope) != _state_of(counted)
            )
        )

    async def _still_open(self) -> int:
        """How many of the jobs that were added have not ended."""
        oldest = self._clock.now() - timedelta(hours=OPEN_HOURS)
        for name, (tenant, at) in list(self._open.items()):
            run = await self._runs.get(tenant, name)
            if at < oldest or run is not None:
                del self._open[name]
        return len(self._open)

    async def _enqueued(self, scope: Scope, counted: ScopeCount) -> bool:
        runs = await self._runs.newest(scope, kind=JobKind.CONSOLIDATE, limit=MOST_RUNS)
        last = exactly(runs, scope)
        progress = await self._progress(scope, counted, last)
        rested = last is not None and last.unasked
        model = rested and await self._may_ask(scope.tenant)
        now = self._clock.now()
        reason = due(progress, now, model=model)
        if reason is None:
            if not progress.changed and not rested:
                self._settled.put(scope, _state_of(counted))
            return False
        self._active.put(scope, counted.active)
        name = job_name(scope, last, now)
        job = upkeep_job(JobKind.CONSOLIDATE, scope, name, reason=reason)
        added = await self._upkeep.put(job)
        if added:
            self._open[job.id] = scope.tenant, now
        return added

    async def _may_ask(self, tenant: str) -> bool:
        return not await self._extracting.why_no_model(tenant, JobKind.CONSOLIDATE)

    async def _progress(
        self, scope: Scope, counted: ScopeCount, last: UpkeepRun | None
    ) -> ScopeProgress:
        new = 0
        if last is not None:
            since = Condition(field_of("created_at"), Operator.GT, to_ms(last.at))
            made = 0
            if counted.latest > last.at:
                made = await self._store.count(scope, where=since)
            new = max(made, counted.active - (self._active.get(scope) or counted.active))
        return ScopeProgress(counted.active, counted.first, counted.latest, last, new)


def _state_of(counted: ScopeCount) -> tuple[datetime, int]:
    return counted.latest, counted.active
