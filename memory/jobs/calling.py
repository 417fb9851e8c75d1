"""Upkeep that somebody asks for: a job for each scope, and how far they are."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from ..model.errors import InvalidInputError
from ..model.jobs import Job, JobKind, JobReport, JobState
from ..model.ports import VectorStore
from ..model.types import Scope
from ..model.upkeep import UpkeepRun
from ..state import State
from ..upkeep import UpkeepPlan
from .episodes import called_episodes
from .learning import Learning
from .upkeep import CALL, UpkeepJobs, upkeep_job

MOST_SCOPES = 100
"""Scopes that one call looks after: those that were changed last."""
MOST_REPORTS = 300
"""Jobs among which one is looked for: the newest of its tenant."""


@dataclass(frozen=True, slots=True)
class CalledJob:
    """A job that was asked for, as far as it is."""

    job: Job
    state: JobState
    run: UpkeepRun | None = None
    """What it did; None before it has ended, and if there was nothing to do."""
    error: str = ""
    """Why it waits or is dead; begins with a reason word."""


class UpkeepCalls:
    """Enqueues what is asked for, and waits for it."""

    def __init__(
        self, store: VectorStore, state: State, upkeep: UpkeepJobs, learning: Learning
    ) -> None:
        self._store = store
        self._conversations = state.conversations
        self._jobs, self._runs = state.jobs, state.runs
        self._upkeep = upkeep
        self._learning = learning

    def kind_of(self, word: object, *, dry: bool = False) -> JobKind:
        """The kind of this name, if it can be asked for. Raises InvalidInputError."""
        kinds = {*self._upkeep.kinds, *(() if dry else (JobKind.JUDGE,))}
        known = [kind for kind in JobKind if kind in kinds]
        if word not in known:
            raise InvalidInputError("kind", f"expected one of {', '.join(known)}")
        return JobKind(str(word))

    async def scopes(self, kind: JobKind, scope: Scope) -> list[Scope]:
        """The scopes at and below one that hold something, the last changed first.

        Each is looked after by itself: its memories are not merged with those of another. Raises
        StoreError and StateError.
        """
        counted = (await self._store.tally(scope)).scopes
        found = sorted(counted, key=lambda one: counted[one].latest, reverse=True)
        if kind is not JobKind.CONSOLIDATE:
            said = await self._conversations.scopes(scope)
            found += [one for one in said if scope.admits(one) and one not in counted]
        return found[:MOST_SCOPES]

    async def look(self, kind: JobKind, scope: Scope) -> tuple[Job, UpkeepPlan]:
        """What a job would do now; nothing is written. Raises as `UpkeepJobs.look`."""
        job = _job(kind, scope)
        return job, await self._upkeep.look(job)

    async def call(
        self, kind: JobKind, scopes: Sequence[Scope], *, seconds: float
    ) -> list[CalledJob]:
        """Have a job run for each scope, and wait for up to `seconds` until all have ended.

        Of episodes it is one for each conversation. What has not ended by then goes on. Raises
        StateError.
        """
        jobs = [job for scope in scopes for job in await self._jobs_of(kind, scope)]
        for job in jobs:
            await self._upkeep.put(job)
        self._learning.wake()
        found = await self._found(jobs)
        if jobs and seconds:
            async for _ in self._learning.working(seconds=seconds):
                found = await self._found(jobs)
                if all(one.state in _ENDED for one in found):
                    break
        return found

    async def _jobs_of(self, kind: JobKind, scope: Scope) -> list[Job]:
        if kind is JobKind.EPISODE:
            return await called_episodes(self._conversations, scope)
        return [_job(kind, scope)]

    async def _found(self, jobs: Sequence[Job]) -> list[CalledJob]:
        """How far these jobs of one tenant are."""
        runs = {job.id: await self._runs.get(job.scope.tenant, job.id) for job in jobs}
        reports: dict[str, JobReport] = {}
        if any(run is None or not run.complete for run in runs.values()):
            tenant = jobs[0].scope.tenant
            listed = await self._jobs.reports(tenant=tenant, limit=MOST_REPORTS)
            reports = {report.job.id: report for report in listed}
        return [_called(job, runs[job.id], reports.get(job.id)) for job in jobs]


def _called(job: Job, run: UpkeepRun | None, report: JobReport | None) -> CalledJob:
    if run is not None and run.complete:
        return CalledJob(job, JobState.DONE, run)
    if report is None:
        # Of a scope that was forgotten meanwhile, or behind very many newer ones.
        return CalledJob(job, JobState.DONE if run is None else JobState.READY)
    error = "" if report.state is JobState.DONE else report.error or ""
    return CalledJob(job, report.state, None, error)


_ENDED = frozenset({JobState.DONE, JobState.DEAD})


def _job(kind: JobKind, scope: Scope) -> Job:
    return upkeep_job(kind, scope, uuid.uuid4().hex, reason=CALL)
