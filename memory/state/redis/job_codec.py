"""Jobs as JSON, and the rows of the queue."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import Any

from ...model.times import from_ms
from ...model.types import Job, JobReport, JobState
from ..whose import scope_from


def job_body(job: Job) -> str:
    """The fields of a job that never change, as JSON."""
    return json.dumps(
        {
            "id": job.id,
            "scope": astuple(job.scope),
            "conversation": job.conversation_id,
            "upto": job.upto_seq,
            "reason": job.reason,
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def read_job(body: str, **changing: Any) -> Job:
    """The job, with the changing fields of `Job` in `changing`."""
    fixed = json.loads(body)
    return Job(
        id=fixed["id"],
        scope=scope_from(*fixed["scope"]),
        conversation_id=fixed["conversation"],
        upto_seq=fixed["upto"],
        reason=fixed["reason"],
        **changing,
    )


def read_report(row_text: str, *, raw: str | None, shift_ms: int) -> JobReport:
    """A row as an operator sees it, with its moments converted back from the server's clock."""
    row = json.loads(row_text)
    not_before = int(row["not_before"])
    after = row.get("after_seq")
    job = read_job(
        row["body"],
        attempts=int(row["attempts"]),
        cancelled=row["cancelled"],
        after_seq=None if after is None else int(after),
    )
    return JobReport(
        job,
        JobState(row["state"]),
        queued_at=from_ms(int(row["queued"]) - shift_ms),
        not_before=from_ms(not_before - shift_ms) if not_before else None,
        error=row.get("error"),
        raw=raw,
    )
