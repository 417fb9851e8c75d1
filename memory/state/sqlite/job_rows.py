"""Jobs as rows of the SQLite table."""

from __future__ import annotations

from dataclasses import asdict, replace

from ...model.times import from_ms
from ...model.types import Job, JobReport, JobState
from ..whose import scope_from
from .rows import text_or_none

JOB = (
    "id, tenant, user_id, agent_id, run_id, conversation_id, upto_seq, reason, attempts, "
    "cancelled, after_seq, checkpoint"
)
"""The columns that `job_from` reads."""
REPORT = f"{JOB}, state, queued_at, not_before, error, raw"
"""The columns that `report_from` reads."""


def values_of(job: Job) -> dict[str, object]:
    """The columns of a new job by name."""
    return {
        "id": job.id,
        **asdict(job.scope),
        "partition": job.scope.partition,
        "conversation_id": job.conversation_id,
        "upto_seq": job.upto_seq,
        "reason": job.reason,
        "after_seq": job.after_seq,
    }


def job_from(row: tuple[object, ...]) -> Job:
    """The job kept in a row of `JOB`, without its lease."""
    conversation_id, upto_seq, reason, attempts, cancelled, after_seq, checkpoint = row[5:]
    return Job(
        id=str(row[0]),
        scope=scope_from(*row[1:5]),
        conversation_id=str(conversation_id),
        upto_seq=int(str(upto_seq)),
        reason=str(reason),
        attempts=int(str(attempts)),
        cancelled=bool(cancelled),
        after_seq=None if after_seq is None else int(str(after_seq)),
        checkpoint=text_or_none(checkpoint),
    )


def report_from(row: tuple[object, ...]) -> JobReport:
    """The report kept in a row of `REPORT`."""
    state, queued_at, not_before, error, raw = row[12:]
    return JobReport(
        job=replace(job_from(row[:12]), checkpoint=None),
        state=JobState(str(state)),
        queued_at=from_ms(int(str(queued_at))),
        not_before=from_ms(int(str(not_before))) if not_before else None,
        error=text_or_none(error),
        raw=text_or_none(raw),
    )
