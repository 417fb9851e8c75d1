"""Enqueues and runs jobs of upkeep, and takes runs back.

    guard -> plan -> checkpoint -> decisions, run and what follows, in one transaction

A crash loses nothing: the plan is in the checkpoint, and a run is there with all of its changes or
not at all. So is what takes it back.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from ..forget import WriteGuard
from ..learn import Applied, Learner, Marks
from ..learn.records import Batch
from ..model.costs import LEARNING
from ..model.errors import (
    BudgetError,
    ConfigError,
    HourSpentError,
    ModelError,
    ModelRestsError,
    NoModelError,
    NotFoundError,
)
from ..model.jobs import Job, JobKind
from ..model.times import from_ms, sequence_from
from ..model.types import EventKind, MemoryEvent, Provenance, Scope, Source
from ..model.upkeep import RunChange, UpkeepRun
from ..model.usage import UseKind
from ..records.parts import Parts
from ..records.writing import InsidePorts
from ..upkeep import Undoing, UpkeepPlan, UpkeepStep, Work, undoing
from ..upkeep.undo import batch_of, versions_of
from ..util.clock import CLOCK, Clock
from .checkpoints import checkpointed, dumped
from .ending import Endings
from .extraction_limits import ExtractionLimits
from .lease import LeaseLostError

log = logging.getLogger(__name__)

ANSWERED = "answered"
"""The figure of questions that a model answered."""
CALL = "call"
"""The reason of a job that somebody asked for."""
AGAIN = "+"
"""Ends the name of a job that goes on where one ended."""
NOT_NOW = (ConfigError, ModelError, NoModelError, ModelRestsError, HourSpentError, BudgetError)
"""No model answers: what needs none is done."""


class Kept(NamedTuple):
    """The result of a job of upkeep."""

    events: Sequence[MemoryEvent]
    taken_back: bool
    """Some of it was forgotten while it ran: nothing was written."""
    unasked: bool
    """Whether a part rested because no model could be asked."""


class UpkeepJobs:
    """Runs the steps of upkeep, each kind by the step that was given for it."""

    def __init__(
        self,
        parts: Parts,
        learner: Learner,
        extracting: ExtractionLimits,
        endings: Endings,
        *,
        clock: Clock = CLOCK,
    ) -> None:
        self._parts = parts
        self._jobs, self._runs = parts.state.jobs, parts.state.runs
        self._store = parts.store
        self._learner = learner
        self._extracting = extracting
        self._endings = endings
        self._clock = clock
        self._steps: dict[JobKind, UpkeepStep] = {}

    def add(self, *steps: UpkeepStep) -> None:
        """Run these from now on, each for its kind."""
        self._steps |= {step.kind: step for step in steps}

    @property
    def kinds(self) -> frozenset[JobKind]:
        """The kinds that can be run."""
        return frozenset(self._steps)

    async def put(self, job: Job) -> bool:
        """Enqueue a job; False if one of its id was enqueued before. Raises StateError."""
        return await self._jobs.put(job)

    async def look(self, job: Job) -> UpkeepPlan:
        """What a run would do now; nothing is written. Raises as `UpkeepStep.plan`."""
        guard = await self._learner.guard(job.scope)
        return await self._planned(job, guard, dry=True)

    async def run(self, job: Job) -> Kept:
        """Plan, or go on with the plan of an earlier try, carry it out, and end the job.

        Raises:
            LeaseLostError: another worker has the job; nothing was written.
            EmbeddingError, StoreError, StateError: retry the job.
        """
        guard = await self._learner.guard(job.scope)
        plan = checkpointed(job, UpkeepPlan) or await self._planned(job, guard)
        if not await self._jobs.save_checkpoint(job, dumped(plan)):
            raise LeaseLostError
        tenant, batch = job.scope.tenant, self._batch(job.scope, job.id, job, plan)
        marks = await Marks.of(self._parts, tenant, plan.judged, plan.decisions)

        async def end(ports: InsidePorts, applied: Applied) -> None:
            await marks.write(ports, tenant)
            if plan.figures or job.kind not in LEARNING:
                await ports.state.runs.keep(_run(job, plan, applied, batch.at))
            if plan.confirmed:
                await ports.state.usage.count(
                    *(tenant, UseKind.CONFIRMED, plan.confirmed),
                    occasion=job.id,
                    at=batch.at,
                )
            judges = judging(job, f"{job.id}:{JobKind.JUDGE.value}") if plan.judges else None
            again = _anew(job, f"{job.id}{AGAIN}") if plan.more else None
            await self._endings.end(ports, job, [judges, again])

        applied = await self._learner.applier.apply(
            plan.decisions, batch, guard, also=end, whole=True
        )
        return Kept(applied.events, applied.taken_back, plan.unasked)

    async def undo(self, tenant: str, run_id: str) -> tuple[UpkeepRun, Undoing]:
        """Take a run back as far as nobody changed its memories since; idempotent.

        Raises:
            NotFoundError: there is no such run.
            StoreError, StateError, EmbeddingError: call it again.
        """
        run = await self._runs.get(tenant, run_id)
        if run is None:
            raise NotFoundError(f"there is no run {run_id!r}")
        name = batch_of(run)
        guard = await self._learner.guard(run.scope)
        ids = [change.memory_id for change in run.changes] + versions_of(run)
        known = {item.id: item for item in await self._store.get(tenant, ids)} if ids else {}
        back = undoing(run, known)
        undone = run if run.undone_at else replace(run, undone_at=self._clock.now())

        async def note(ports: InsidePorts, _applied: Applied) -> None:
            await ports.state.runs.keep(undone)

        batch = self._batch(run.scope, name)
        await self._learner.applier.apply(back.decisions, batch, guard, also=note)
        return undone, back

    async def _planned(self, job: Job, guard: WriteGuard, *, dry: bool = False) -> UpkeepPlan:
        step = self._steps.get(job.kind)
        if step is None:
            return UpkeepPlan(unasked=True)
        asked = False
        try:
            async with self._extracting.model_for(job) as model:
                asked = True
                plan = await step.plan(Work(job, job.scope, model, guard, dry=dry))
                if plan.figures.get(ANSWERED) and job.kind in LEARNING:
                    await self._extracting.worked(job)
                return plan
        except NOT_NOW as error:
            log.info("%s of job %s goes on without a model: %s", job.kind.value, job.id, error)
            without = error
        plan = await step.plan(Work(job, job.scope, None, guard, dry=dry, without=without))
        # Without a model the step says whether it would have asked one.
        return replace(plan, unasked=plan.unasked or asked)

    def _batch(
        self, scope: Scope, name: str, job: Job | None = None, plan: UpkeepPlan | None = None
    ) -> Batch:
        now = self._clock.now()
        # Jobs of other kinds are about no conversation.
        of_one = job is not None and job.kind is JobKind.EPISODE
        origin = Provenance(
            source=Source.REFLECTION,
            conversation_id=(job.conversation_id or None) if job and of_one else None,
            sequence=sequence_from(now),
        )
        moments = {turn: from_ms(ms) for turn, ms in (plan.moments if plan else {}).items()}
        return Batch(id=name, scope=scope, at=now, provenance=origin, moments=moments)


def upkeep_job(
    kind: JobKind, scope: Scope, name: str, *, reason: str, conversation_id: str = "", upto: int = 0
) -> Job:
    """A job of upkeep; `name` tells jobs of one kind and scope apart."""
    return Job(
        id=f"{kind.value}:{name}",
        scope=scope,
        conversation_id=conversation_id,
        upto_seq=upto,
        reason=reason,
        kind=kind,
    )


def _anew(job: Job, name: str) -> Job:
    return replace(job, id=name, attempts=0, lease=None, checkpoint=None)


def judging(job: Job, name: str) -> Job:
    """A job of this name that judges what is pending in the scope of another; without turns."""
    return replace(_anew(job, name), kind=JobKind.JUDGE, after_seq=job.upto_seq)


def _run(job: Job, plan: UpkeepPlan, applied: Applied, at: datetime) -> UpkeepRun:
    """What a job has done."""
    changes = [
        RunChange(event.id, event.event, applied.versions[event.id])
        for event in applied.events
        if event.event is not EventKind.NONE and event.id in applied.versions
    ]
    return UpkeepRun(
        id=job.id,
        scope=job.scope,
        kind=job.kind,
        at=at,
        reason=job.reason,
        changes=tuple(changes),
        figures=plan.figures,
        unasked=plan.unasked,
    )
