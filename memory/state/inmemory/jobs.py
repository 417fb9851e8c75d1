"""The job queue in a dictionary."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from ...model.owner import covers
from ...model.times import LONGEST_REST
from ...model.types import Job, JobReport, JobState, OwnerRef, utc_now

_LONG_AGO = datetime.fromtimestamp(0, UTC)
_NOBODY = ""
"""The lease of a job whose holder lost it: no caller has this lease."""
_OPEN = {JobState.READY, JobState.LEASED}


@dataclass(slots=True)
class _Row:
    job: Job
    state: JobState = JobState.READY
    queued_at: datetime = field(default_factory=utc_now)
    not_before: datetime | None = None
    lease_until: datetime = _LONG_AGO
    error: str | None = None
    raw: str | None = None

    def release(self, at: datetime) -> None:
        self.state, self.not_before, self.lease_until = JobState.READY, at, _LONG_AGO
        self.job = replace(self.job, lease=None)

    def runs(self, now: datetime) -> bool:
        """Whether it may be claimed: it neither waits for its retry nor is leased."""
        rests = self.not_before is not None and now < self.not_before <= now + LONGEST_REST
        return not rests and self.lease_until <= now

    def report(self) -> JobReport:
        job = replace(self.job, lease=None, checkpoint=None)
        return JobReport(job, self.state, self.queued_at, self.not_before, self.error, self.raw)


class InMemoryJobs:
    """A `JobQueue` that lives as long as the process. Its rows are in queue order."""

    def __init__(self) -> None:
        self._rows: dict[str, _Row] = {}

    async def put(self, job: Job) -> bool:
        if job.id in self._rows:
            return False
        self._rows[job.id] = _Row(job)
        return True

    async def claim(self, *, now: datetime, lease_seconds: float) -> Job | None:
        for row in self._heads():
            if row.runs(now):
                row.state = JobState.LEASED
                row.lease_until = now + timedelta(seconds=lease_seconds)
                row.job = replace(row.job, attempts=row.job.attempts + 1, lease=uuid.uuid4().hex)
                return row.job
        return None

    async def extend(self, job: Job, *, until: datetime) -> bool:
        if row := self._held(job):
            row.lease_until = until
        return row is not None

    async def save_checkpoint(self, job: Job, checkpoint: str) -> bool:
        if row := self._held(job):
            row.job = replace(row.job, checkpoint=checkpoint)
        return row is not None

    async def ack(self, job: Job) -> bool:
        row = self._held(job)
        if row is None:
            return False
        if row.job.cancelled:
            del self._rows[job.id]
        row.state = JobState.DONE
        row.job = replace(row.job, checkpoint=None)
        return True

    async def retry(self, job: Job, *, at: datetime, error: str, count: bool = True) -> bool:
        if row := self._held(job):
            row.release(at)
            row.error = error
            row.job = replace(row.job, attempts=row.job.attempts - (not count))
        return row is not None

    async def hasten(self, job_id: str) -> bool:
        row = self._rows.get(job_id)
        if row is None or row.state is not JobState.READY:
            return False
        row.not_before = None
        return True

    async def bury(
        self, job: Job, *, error: str, raw: str | None = None, after_seq: int | None = None
    ) -> bool:
        if row := self._held(job):
            row.state, row.error, row.raw = JobState.DEAD, error, raw
            kept = row.job.after_seq if after_seq is None else after_seq
            row.job = replace(row.job, after_seq=kept)
        return row is not None

    async def drop_answers(self, whose: OwnerRef) -> int:
        kept = [each for each in self._rows.values() if each.raw is not None]
        meant = [row for row in kept if covers(whose, row.job.scope)]
        for row in meant:
            row.raw = None
        return len(meant)

    async def counts(self) -> dict[str, int]:
        states = Counter(row.state for row in self._rows.values())
        return {state.value: states[state] for state in JobState}

    async def depth(self) -> int:
        return len(self._open())

    async def oldest(self) -> datetime | None:
        return next((row.queued_at for row in self._open()), None)

    async def reports(
        self, *, tenant: str | None = None, state: JobState | None = None, limit: int = 100
    ) -> list[JobReport]:
        found = [
            row.report()
            for row in reversed(self._rows.values())
            if tenant in {None, row.job.scope.tenant} and state in {None, row.state}
        ]
        return found[:limit]

    async def revive(self, job_id: str, *, whose: OwnerRef | None = None) -> bool:
        row = self._rows.get(job_id)
        if row is None or row.state is not JobState.DEAD:
            return False
        if whose is not None and not covers(whose, row.job.scope):
            return False
        # To the end of the queue: another job of this user may be running.
        del self._rows[job_id]
        self._rows[job_id] = _Row(replace(row.job, lease=None, attempts=0))
        return True

    async def erase(self, whose: OwnerRef) -> int:
        meant = [row for row in self._rows.values() if covers(whose, row.job.scope)]
        # A leased job that is already cancelled stays until its next holder has cleaned up.
        erased = [row for row in meant if row.state not in _OPEN or not row.job.cancelled]
        for row in erased:
            if row.state is JobState.LEASED:
                row.job = replace(row.job, cancelled=True, checkpoint=None, lease=_NOBODY)
            else:
                del self._rows[row.job.id]
        return len(erased)

    async def close(self) -> None:
        self._rows.clear()

    def _open(self) -> list[_Row]:
        return [row for row in self._rows.values() if row.state in _OPEN]

    def _heads(self) -> list[_Row]:
        """The oldest open job of each partition."""
        heads: dict[str, _Row] = {}
        for row in self._open():
            heads.setdefault(row.job.scope.partition, row)
        return list(heads.values())

    def _held(self, job: Job) -> _Row | None:
        row = self._rows.get(job.id)
        held = row is not None and row.state is JobState.LEASED and row.job.lease == job.lease
        return row if held else None
