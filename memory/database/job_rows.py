"""A job as a row of the table `jobs`, and back; moments are in milliseconds of the database."""

from __future__ import annotations

from dataclasses import replace

from ..model.jobs import JobKind
from ..model.times import from_ms
from ..model.types import Job, JobReport, JobState
from .rows import digest, scope_columns, scope_from
from .scripts import Row

JOB = (
    "id, tenant, user_id, agent_id, run_id, conversation_id, upto_seq, reason, attempts, "
    "cancelled, after_seq, kind, checkpoint"
)
"""The columns that `job_from` reads."""
REPORT = f"{JOB}, state, queued_at, not_before, error, raw"
"""The columns that `report_from` reads."""


def values_of(job: Job) -> dict[str, object]:
    """The columns of a new job by name."""
    return {
        "id": job.id,
        **scope_columns(job.scope),
        "partition": digest(job.partition),
        "conversation_id": job.conversation_id,
        "upto_seq": job.upto_seq,
        "reason": job.reason,
        "after_seq": job.after_seq,
        "kind": job.kind.value,
    }


def job_from(row: Row) -> Job:
    """The job kept in a row of `JOB`, without its lease."""
    conversation_id, upto_seq, reason, attempts, cancelled, after_seq, kind, checkpoint = row[5:13]
    return Job(
        id=row[0],
        scope=scope_from(*row[1:5]),
        conversation_id=conversation_id,
        upto_seq=upto_seq,
        reason=reason,
        kind=JobKind(kind),
        attempts=attempts,
        cancelled=bool(cancelled),
        after_seq=after_seq,
        checkpoint=checkpoint,
    )


def report_from(row: Row, shift_ms: int) -> JobReport:
    """The report kept in a row of `REPORT`, in moments of this process."""
    state, queued_at, not_before, error, raw = row[13:]
    return JobReport(
        job=replace(job_from(row), checkpoint=None),
        state=JobState(state),
        queued_at=from_ms(queued_at - shift_ms),
        not_before=from_ms(not_before - shift_ms) if not_before else None,
        error=error,
        raw=raw,
    )
