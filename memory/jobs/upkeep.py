"""Enqueues and runs jobs of upkeep, and takes runs back.

    guard -> plan -> checkpoint -> run kept -> apply -> run complete -> ack

A crash at any arrow is completed by the next claim: the plan is in the checkpoint, and applying is
idempotent. A run is kept before its changes are made, so that none can be made that nobody can
undo.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..forget import WriteGuard
from ..learn import Learner, dump_decisions, load_decisions
from ..learn.records import Batch
from ..model.errors import (
    BudgetError,
    ConfigError,
    HourSpentError,
    InvalidInputError,
    ModelError,
    ModelRestsError,
    NoModelError,
    NotFoundError,
)
from ..model.jobs import Job, JobKind
from ..model.ports import VectorStore
from ..model.times import from_ms, sequence_from
from ..model.types import MemoryEvent, MemoryItem, Provenance, Scope, Source
from ..model.upkeep import RunChange, UpkeepRun
from ..state import State
from ..upkeep import Undoing, UpkeepPlan, UpkeepStep, Work, undoing
from ..upkeep.undoing import batch_of, versions_of
from ..util.clock import CLOCK, Clock
from .extracting import Extracting

log = logging.getLogger(__name__)

CALL = "call"
"""The reason of a job that somebody asked for."""
AGAIN = "+"
"""Ends the name of a job that goes on where one ended."""
NOT_NOW = (ConfigError, ModelError, NoModelError, ModelRestsError, HourSpentError, BudgetError)
"""No model answers: what needs none is done."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a job of upkeep did."""

    run: UpkeepRun
    events: Sequence[MemoryEvent] = ()
    taken_back: bool = False
    """Some of it was forgotten while it ran."""
    lost: bool = False
    """Another worker has the job."""


class UpkeepJobs:
    """Runs the steps of upkeep, each kind by the step that was given for it."""

    def __init__(
        self,
        state: State,
        store: VectorStore,
        learner: Learner,
        extracting: Extracting,
        *,
        clock: Clock = CLOCK,
    ) -> None:
        self._jobs, self._runs = state.jobs, state.runs
        self._store = store
        self._learner = learner
        self._extracting = extracting
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
        """UpkeepPlan, or go on with the plan of an earlier try, and carry it out.

        Raises:
            EmbeddingError, StoreError, StateError, ConflictError: retry the job.
        """
        guard = await self._learner.guard(job.scope)
        plan = _checkpointed(job) or await self._planned(job, guard)
        if not await self._jobs.save_checkpoint(job, _dumped(plan)):
            return Kept(self._run(job, plan), lost=True)
        run = self._run(job, plan, await self._versions(job, plan))
        await self._runs.keep(replace(run, complete=False))
        applied = await self._learner.applier.apply(
            plan.decisions, self._batch(job.scope, job.id, job, plan), guard
        )
        if applied.taken_back:
            return Kept(run, applied.events, taken_back=True)
        work = Work(job, job.scope, None, guard)
        if (step := self._steps.get(job.kind)) is not None:
            await step.applied(work, plan)
        await self._runs.keep(run)
        if plan.more:
            await self._jobs.put(_going_on(job))
        return Kept(run, applied.events)

    async def undo(self, tenant: str, run_id: str) -> tuple[UpkeepRun, Undoing]:
        """Take a run back as far as nobody changed its memories since; idempotent.

        Raises:
            NotFoundError: there is no such run.
            InvalidInputError: it is not complete yet.
            StoreError, StateError, ConflictError, EmbeddingError: call it again.
        """
        run = await self._runs.get(tenant, run_id)
        if run is None:
            raise NotFoundError(f"there is no run {run_id!r}")
        if not run.complete:
            raise InvalidInputError("run_id", "expected a run that has ended; this one goes on")
        name = batch_of(run)
        guard = await self._learner.guard(run.scope)
        ids = [change.memory_id for change in run.changes] + versions_of(run)
        known = {item.id: item for item in await self._store.get(tenant, ids)} if ids else {}
        back = undoing(run, known)
        await self._learner.applier.apply(back.decisions, self._batch(run.scope, name), guard)
        undone = run if run.undone_at else replace(run, undone_at=self._clock.now())
        await self._runs.keep(undone)
        return undone, back

    async def _planned(self, job: Job, guard: WriteGuard, *, dry: bool = False) -> UpkeepPlan:
        step = self._steps.get(job.kind)
        if step is None:
            return UpkeepPlan(unasked=True)
        asked = False
        try:
            async with self._extracting.lent(job) as model:
                asked = True
                return await step.plan(Work(job, job.scope, model, guard, dry=dry))
        except NOT_NOW as error:
            log.info("%s of job %s goes on without a model: %s", job.kind.value, job.id, error)
            without = error
        plan = await step.plan(Work(job, job.scope, None, guard, dry=dry, without=without))
        # Where no model was lent, the step says whether it would have asked one.
        return replace(plan, unasked=plan.unasked or asked)

    async def _versions(self, job: Job, plan: UpkeepPlan) -> Mapping[str, int]:
        """The versions of the memories that a plan names, before it.

        An earlier try may have changed some of them; its run tells how they were.
        """
        tenant = job.scope.tenant
        ids = sorted({decision.memory_id for decision in plan.decisions})
        found: Sequence[MemoryItem] = await self._store.get(tenant, ids) if ids else ()
        earlier = await self._runs.get(tenant, job.id)
        known = () if earlier is None else earlier.changes
        return {item.id: item.version for item in found} | {
            change.memory_id: change.version - 1 for change in known
        }

    def _run(
        self, job: Job, plan: UpkeepPlan, versions: Mapping[str, int] | None = None
    ) -> UpkeepRun:
        before = versions or {}
        return UpkeepRun(
            id=job.id,
            scope=job.scope,
            kind=job.kind,
            at=self._clock.now(),
            reason=job.reason,
            changes=tuple(
                RunChange(one.memory_id, one.event, before.get(one.memory_id, 0) + 1)
                for one in plan.decisions
            ),
            figures=plan.figures,
            unasked=plan.unasked,
        )

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


def _going_on(job: Job) -> Job:
    return replace(job, id=f"{job.id}{AGAIN}", attempts=0, lease=None, checkpoint=None)


def _dumped(plan: UpkeepPlan) -> str:
    told = {
        "figures": dict(plan.figures),
        "unasked": plan.unasked,
        "more": plan.more,
        "moments": dict(plan.moments),
    }
    return json.dumps({"plan": told, "decisions": dump_decisions(plan.decisions)})


def _checkpointed(job: Job) -> UpkeepPlan | None:
    if job.checkpoint is None:
        return None
    try:
        told = json.loads(job.checkpoint)
        return UpkeepPlan(tuple(load_decisions(told["decisions"])), **told["plan"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        # Damaged or of another version. Planning again is safe: ids are derived.
        log.warning("the plan of job %s cannot be read: %r", job.id, error)
        return None
