"""Enqueues a reflection when enough has happened: after what was learned, and after episodes.

The counter is what is stored (`upkeep.reflect.salience`), so a crash loses none of it: whatever is
learned next looks at it again. Several processes enqueue the same job.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..memories import SqlMemories
from ..model.filters import AllOf, Condition, Filter, Operator, field_of
from ..model.jobs import Job, JobKind
from ..model.times import to_ms
from ..model.types import MemoryItem, MemoryType, Scope
from ..model.upkeep import UpkeepRun
from ..state import State
from ..upkeep import UpkeepOptions
from ..upkeep.consolidate.schedule import job_name
from ..upkeep.reflect.salience import (
    LEAST_SALIENCE,
    THRESHOLD,
    is_evidence,
    last_run,
    may_run,
    new_among,
    salience,
)
from ..util.clock import CLOCK, Clock
from .upkeep import UpkeepJobs, upkeep_job

MOST_RUNS = 50
"""Runs among which those of a scope are looked for: scopes below it have runs too."""
MOST_COUNTED = 1_000
"""Memories that are counted, the newest."""
_AFTER = frozenset({JobKind.LEARN, JobKind.EPISODE})


class ReflectionJobs:
    """Follows other jobs. Does nothing where there is no step for reflection."""

    def __init__(
        self,
        store: SqlMemories,
        state: State,
        upkeep: UpkeepJobs,
        options: UpkeepOptions,
        *,
        clock: Clock = CLOCK,
    ) -> None:
        self._store = store
        self._runs = state.runs
        self._upkeep = upkeep
        self._options = options
        self._clock = clock

    async def follow(self, job: Job) -> bool:
        """Enqueue a reflection in the scope of a job that ended, if it is due.

        Raises StoreError and StateError; the next job looks again.
        """
        # By default it is off, and costs nothing.
        if not (self._options.enabled and self._options.kinds.reflect):
            return False
        if job.kind not in _AFTER or JobKind.REFLECT not in self._upkeep.kinds:
            return False
        scope, now = job.scope, self._clock.now()
        runs = await self._runs.newest(scope, kind=JobKind.REFLECT, limit=MOST_RUNS)
        if not may_run(runs, scope, now):
            return False
        last = last_run(runs, scope)
        if await self._salience(scope, last) < LEAST_SALIENCE:
            return False
        name = job_name(scope, last, now)
        return await self._upkeep.put(upkeep_job(JobKind.REFLECT, scope, name, reason=THRESHOLD))

    async def _salience(self, scope: Scope, last: UpkeepRun | None) -> float:
        # A conversation may have been told long after it was: only the row says when it came.
        episodes = await self._new(scope, last, _of(MemoryType.EPISODIC))
        facts: Sequence[MemoryItem] = ()
        if not episodes:
            where = _of(MemoryType.SEMANTIC)
            if last is not None:
                since = Condition(field_of("updated_at"), Operator.GT, to_ms(last.at))
                where = AllOf((where, since))
            facts = await self._new(scope, last, where)
        return salience(episodes, facts)

    async def _new(self, scope: Scope, last: UpkeepRun | None, where: Filter) -> list[MemoryItem]:
        items = await self._store.list(scope, limit=MOST_COUNTED, where=where)
        return new_among((item for item in items if is_evidence(item, scope)), last)


def _of(kind: MemoryType) -> Filter:
    return Condition(field_of("type"), Operator.EQ, kind.value)
