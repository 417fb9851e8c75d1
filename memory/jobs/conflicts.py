"""Jobs that judge stored memories of one matter; they learn no turns.

Such a job follows a job of learning whose model could not be asked, or whose model answers while
older memories wait. Once per process and scope, one also follows for what the scope held before:
facts that were imported without groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ..database.jobs import SqlJobs
from ..database.runs import SqlRuns
from ..learn import ASKED, Learned, Learner, Settled
from ..model.jobs import JobKind
from ..model.types import Job, Scope
from ..model.upkeep import RunChange, UpkeepRun
from ..util.clock import CLOCK, Clock
from ..util.lru import Lru
from .extracting import Extracting

CONFLICTS = "conflicts"
"""Their reason, and the end of the names of the first."""
MAX_SCOPES = 10_000
"""Scopes that are known to have been looked at. One that is evicted is looked at again."""


class ConflictJobs:
    """Enqueues and runs them."""

    def __init__(
        self,
        extracting: Extracting,
        learner: Learner,
        jobs: SqlJobs,
        runs: SqlRuns,
        *,
        clock: Clock = CLOCK,
    ) -> None:
        self._extracting = extracting
        self._learner = learner
        self._jobs, self._runs = jobs, runs
        self._clock = clock
        self._looked: Lru[Scope, bool] = Lru(MAX_SCOPES)

    async def follow(self, job: Job, learned: Learned) -> None:
        """Enqueue one if something waits for a model. Raises StateError and StoreError."""
        answers = any(decision.stage == ASKED for decision in learned.decisions)
        looked = self._looked.get(job.scope) or not learned.strategy
        if looked and not answers and not learned.unanswered:
            return
        self._looked.put(job.scope, value=True)
        # A model that could not read this batch would not read it now.
        but = None if learned.unanswered else job.id
        if await self._learner.settler.waits(job.scope, but):
            await self._jobs.put(_following(job, f"{job.id}:{CONFLICTS}"))

    async def run(self, job: Job) -> Settled:
        """Ask about what waits in the job's scope. Raises as `Extracting.settle`."""
        guard = await self._learner.guard(job.scope)
        if not await self._learner.settler.waits(job.scope):
            return Settled()
        settled = await self._extracting.settle(job, guard, partial(self._keep, job))
        await self._completed(job, settled)
        if settled.more and settled.answered:
            await self._jobs.put(_following(job, f"{job.id}+"))
        return settled

    async def _keep(self, job: Job, changes: Sequence[RunChange]) -> None:
        """Keep a run with what is to be changed, beside what an earlier try of the job changed."""
        earlier = await self._runs.get(job.scope.tenant, job.id)
        kept = () if earlier is None else earlier.changes
        await self._runs.keep(
            UpkeepRun(
                id=job.id,
                scope=job.scope,
                kind=job.kind,
                at=self._clock.now(),
                reason=job.reason,
                changes=tuple(dict.fromkeys([*kept, *changes])),
                complete=False,
            )
        )

    async def _completed(self, job: Job, settled: Settled) -> None:
        run = await self._runs.get(job.scope.tenant, job.id)
        if run is not None:
            figures = {"asked": settled.asked, "answered": settled.answered}
            await self._runs.keep(replace(run, figures=figures, complete=True))


def _following(job: Job, name: str) -> Job:
    """A job without turns of its own."""
    return replace(
        job,
        id=name,
        reason=CONFLICTS,
        kind=JobKind.JUDGE,
        after_seq=job.upto_seq,
        attempts=0,
        lease=None,
        checkpoint=None,
    )
