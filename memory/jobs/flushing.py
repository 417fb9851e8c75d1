"""The jobs that wait: which can run now, what the others wait for, and how they go on at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..database.jobs import SqlJobs
from ..database.standings import SqlStandings
from ..model.errors import (
    ON_TRIAL,
    ModelBusyError,
    ModelUnavailableError,
    NoModelError,
    StateError,
    StateGoneError,
    StateUnwritableError,
    StoreError,
    StoreGoneError,
    StoreUnwritableError,
    StretchOpenError,
    code_in,
    rest_in,
)
from ..model.owner import owning_tenant
from ..model.types import Job, JobReport, JobState, OwnerRef, Scope
from .model_trust import dump, load, released
from .runs import Run

RUNNING = "running"
QUEUED = "queued"
LATER = "later"
_MAY_BE_BACK = frozenset(
    kind.code
    for kind in (
        NoModelError,
        ModelUnavailableError,
        StoreError,
        StoreUnwritableError,
        StoreGoneError,
        StateError,
        StateUnwritableError,
        StateGoneError,
    )
)
"""Reasons of jobs that wait for a part. Trying one too early costs neither a try nor tokens."""
_FOR_A_MODEL = frozenset(
    {ON_TRIAL, NoModelError.code, ModelUnavailableError.code, ModelBusyError.code}
)


@dataclass(frozen=True, slots=True)
class FlushProgress:
    """A flush after some seconds."""

    runs: tuple[Run, ...]
    """The runs of the scope's jobs since the flush began."""
    waiting: dict[str, int]
    """Jobs of the scope that are not done: ``running``, ``queued``, or a reason word."""
    seconds: float
    last: bool
    """Whether no other follows: no job can run now, or the time is over."""

    @property
    def done(self) -> bool:
        """Whether it is the last one and no job of the scope waits."""
        return self.last and not self.waiting


def concerns(scope: Scope | None, job: Job) -> bool:
    """Whether a flush of the scope learns this job; None flushes everything."""
    return scope is None or scope.admits(job.scope)


def waiting_of(
    open_jobs: Sequence[JobReport], scope: Scope | None, now: datetime
) -> dict[str, int]:
    """The scope's open jobs, by what they wait for."""
    mine = [report for report in open_jobs if concerns(scope, report.job)]
    return dict(Counter(_word(report, now) for report in mine))


def can_go_on(open_jobs: Sequence[JobReport], scope: Scope | None, now: datetime) -> bool:
    """Whether waiting helps: a job of the scope runs, or is next, or stands behind one that does.

    One user's jobs run in order, so a job that rests holds back the later ones. `open_jobs` has
    all jobs of the tenant that are ready or leased, each state newest first.
    """
    heads = _heads(open_jobs, scope)
    return any(not _rests(head, now) or code_in(head.error) == ON_TRIAL for head in heads)


def worth_a_try(open_jobs: Sequence[JobReport], scope: Scope | None, now: datetime) -> list[str]:
    """The ids of jobs that hold back the scope and rest because a part was missing.

    It may be there by now: who asks for a flush has often just repaired it. `open_jobs` as for
    `can_go_on`.
    """
    heads = _heads(open_jobs, scope)
    return [h.job.id for h in heads if _rests(h, now) and _may_go_on(h)]


def waits_for_a_model(open_jobs: Sequence[JobReport], now: datetime) -> list[str]:
    """The ids of the next jobs that rest because no model could be asked.

    Trying one costs no call unless a model may be asked by now.
    """
    return [
        head.job.id
        for head in _heads(open_jobs, None)
        if _rests(head, now) and (rest_in(head.error) or code_in(head.error) in _FOR_A_MODEL)
    ]


def _may_go_on(report: JobReport) -> bool:
    return bool(rest_in(report.error)) or code_in(report.error) in _MAY_BE_BACK


def _heads(open_jobs: Sequence[JobReport], scope: Scope | None) -> list[JobReport]:
    """What runs next for each partition in which the scope has jobs."""
    heads: dict[str, JobReport] = {}
    for report in sorted(open_jobs, key=lambda each: each.state is JobState.LEASED):
        heads[report.job.partition] = report
    mine = {each.job.partition for each in open_jobs if concerns(scope, each.job)}
    return [heads[partition] for partition in mine]


def _rests(report: JobReport, now: datetime) -> bool:
    later = report.not_before is not None and report.not_before > now
    return report.state is not JobState.LEASED and later


def _word(report: JobReport, now: datetime) -> str:
    if report.state is JobState.LEASED:
        return RUNNING
    if not _rests(report, now):
        return QUEUED
    return code_in(report.error) or LATER


MAX_OPEN = 10_000
"""Most open jobs of each state that are looked at."""


async def open_jobs(jobs: SqlJobs, tenant: str | None) -> list[JobReport]:
    """The jobs of a tenant, or of all, that are ready or leased, each state newest first."""
    # By id: a job that is claimed in between is in both lists.
    found = {
        report.job.id: report
        for state in (JobState.READY, JobState.LEASED)
        for report in await jobs.reports(tenant, state=state, limit=MAX_OPEN)
        # Nobody waits for the removal of what a forgotten job had written.
        if not report.job.cancelled
    }
    return list(found.values())


async def go_on(jobs: SqlJobs, tenant: str | None, now: datetime) -> None:
    """Run what rests for want of a model: one may be asked now. Raises StateError."""
    await _hasten(jobs, waits_for_a_model(await open_jobs(jobs, tenant), now))


async def end_stretches(
    jobs: SqlJobs, open_jobs: Sequence[JobReport], scope: Scope | None, now: datetime
) -> bool:
    """Have the episodes written that wait for the end of a conversation; whether there are any.

    Raises StateError.
    """
    resting = [
        report.job.id
        for report in open_jobs
        if concerns(scope, report.job)
        and _rests(report, now)
        and code_in(report.error) == StretchOpenError.code
    ]
    await _hasten(jobs, resting)
    return bool(resting)


async def try_now(
    jobs: SqlJobs, standings: SqlStandings, owner_ref: OwnerRef | None, now: datetime
) -> None:
    """Run what rests for want of a part, of a tenant or a scope, and let its models be tried.

    A model that is left alone is tried at most once in `trust.ASKED_FOR`. Raises StateError.
    """
    waiting = await open_jobs(jobs, None if owner_ref is None else owning_tenant(owner_ref))
    scope = owner_ref if isinstance(owner_ref, Scope) else None
    resting = set(worth_a_try(waiting, scope, now))
    for tenant in {report.job.scope.tenant for report in waiting if report.job.id in resting}:
        await _release(standings, tenant, now)
    await _hasten(jobs, resting)


async def _release(standings: SqlStandings, tenant: str, now: datetime) -> None:
    for model, text in (await standings.of(tenant)).items():
        trust = load(text)
        after = released(trust, now)
        if after != trust:
            await standings.change(tenant, model, text, dump(after))


async def _hasten(jobs: SqlJobs, job_ids: Iterable[str]) -> None:
    for job_id in job_ids:
        await jobs.hasten(job_id)
