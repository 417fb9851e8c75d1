"""How far a flush is: which jobs of a scope can run now, and what the others wait for. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ..errors import code_in
from ..types import Job, JobReport, JobState, Scope
from .worker import Run

RUNNING = "running"
QUEUED = "queued"
LATER = "later"


@dataclass(frozen=True, slots=True)
class FlushProgress:
    """A flush after some seconds."""

    runs: tuple[Run, ...]
    """The runs of the scope's jobs since the flush began."""
    waiting: dict[str, int]
    """Jobs of the scope that are not done: ``running``, ``queued``, or a reason word."""
    seconds: float
    done: bool
    """Whether this is the last one: no job can run now, or the time is over."""


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
    heads: dict[str, JobReport] = {}
    for report in sorted(open_jobs, key=lambda each: each.state is JobState.LEASED):
        heads[report.job.scope.partition] = report
    mine = {each.job.scope.partition for each in open_jobs if concerns(scope, each.job)}
    return any(not _rests(heads[partition], now) for partition in mine)


def _rests(report: JobReport, now: datetime) -> bool:
    later = report.not_before is not None and report.not_before > now
    return report.state is not JobState.LEASED and later


def _word(report: JobReport, now: datetime) -> str:
    if report.state is JobState.LEASED:
        return RUNNING
    if not _rests(report, now):
        return QUEUED
    return code_in(report.error) or LATER
