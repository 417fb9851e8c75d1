"""A job as a row of the table `jobs`, and back; moments are in milliseconds of the database."""

from __future__ import annotations

from dataclasses import replace

from ..model.times import from_ms
from ..model.types import Job, JobReport, JobState
from .columns import Columns
from .rows import digest
from .scripts import Row

_JOB = Columns(Job)
JOB = _JOB.names
"""The columns that `job_from` reads."""
REPORT = f"{JOB}, state, queued_at, not_before, error, raw"
"""The columns that `report_from` reads."""
job_from = _JOB.read


def values_of(job: Job) -> dict[str, object]:
    """The columns of a new job by name."""
    return _JOB.values(job) | {"partition": digest(job.partition)}


def report_from(row: Row, shift_ms: int) -> JobReport:
    """The report kept in a row of `REPORT`, in moments of this process."""
    *_, state, queued_at, not_before, error, raw = row
    return JobReport(
        job=replace(job_from(row), lease=None, checkpoint=None),
        state=JobState(state),
        queued_at=from_ms(queued_at - shift_ms),
        not_before=from_ms(not_before - shift_ms) if not_before else None,
        error=error,
        raw=raw,
    )
