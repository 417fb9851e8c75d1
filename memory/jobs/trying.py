"""Lets jobs that rest go on, because something changed or somebody asks for it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from ..model.costs import Standings
from ..model.owner import owning_tenant
from ..model.ports import JobQueue
from ..model.types import JobReport, JobState, OwnerRef, Scope
from .flushing import waits_for_a_model, worth_a_try
from .standing import dump, load, released

MAX_OPEN = 10_000
"""Most open jobs of each state that are looked at."""


async def open_jobs(jobs: JobQueue, tenant: str | None) -> list[JobReport]:
    """The jobs of a tenant, or of all, that are ready or leased, each state newest first."""
    # By id: a job that is claimed in between is in both lists.
    found = {
        report.job.id: report
        for state in (JobState.READY, JobState.LEASED)
        for report in await jobs.reports(tenant=tenant, state=state, limit=MAX_OPEN)
        # Nobody waits for the removal of what a forgotten job had written.
        if not report.job.cancelled
    }
    return list(found.values())


async def go_on(jobs: JobQueue, tenant: str | None, now: datetime) -> None:
    """Run what rests for want of a model: one may be asked now. Raises StateError."""
    await _hasten(jobs, waits_for_a_model(await open_jobs(jobs, tenant), now))


async def try_now(
    jobs: JobQueue, standings: Standings, whose: OwnerRef | None, now: datetime
) -> None:
    """Run what rests for want of a part, of a tenant or a scope, and let its models be tried.

    A model that is left alone is tried at most once in `standing.ASKED_FOR`. Raises StateError.
    """
    waiting = await open_jobs(jobs, None if whose is None else owning_tenant(whose))
    scope = whose if isinstance(whose, Scope) else None
    resting = set(worth_a_try(waiting, scope, now))
    for tenant in {report.job.scope.tenant for report in waiting if report.job.id in resting}:
        await _release(standings, tenant, now)
    await _hasten(jobs, resting)


async def _release(standings: Standings, tenant: str, now: datetime) -> None:
    for model, text in (await standings.of(tenant)).items():
        standing = load(text)
        after = released(standing, now)
        if after != standing:
            await standings.change(tenant, model, text, dump(after))


async def _hasten(jobs: JobQueue, job_ids: Iterable[str]) -> None:
    for job_id in job_ids:
        await jobs.hasten(job_id)
