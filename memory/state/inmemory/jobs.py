"""The job queue in a dictionary."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from ...types import Job

_LONG_AGO = datetime.fromtimestamp(0, UTC)


@dataclass(slots=True)
class _Row:
    job: Job
    state: str = "ready"
    not_before: datetime = _LONG_AGO
    lease_until: datetime = _LONG_AGO
    error: str | None = None

    @property
    def open(self) -> bool:
        return self.state in {"ready", "leased"}


class InMemoryJobs:
    """A `JobQueue` that lives as long as the process."""

    def __init__(self) -> None:
        self._rows: dict[str, _Row] = {}

    async def put(self, job: Job) -> bool:
        if job.id in self._rows:
            return False
        self._rows[job.id] = _Row(job)
        return True

    async def claim(self, *, now: datetime, lease_seconds: float) -> Job | None:
        for row in self._heads():
            if row.not_before <= now and row.lease_until <= now:
                row.state = "leased"
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
        if row := self._held(job):
            row.state = "done"
        return row is not None

    async def retry(self, job: Job, *, at: datetime, error: str, count: bool = True) -> bool:
        if row := self._held(job):
            row.state, row.not_before, row.lease_until, row.error = "ready", at, _LONG_AGO, error
            row.job = replace(row.job, lease=None, attempts=row.job.attempts - (not count))
        return row is not None

    async def bury(self, job: Job, *, error: str) -> bool:
        if row := self._held(job):
            row.state, row.error = "dead", error
        return row is not None

    async def counts(self) -> dict[str, int]:
        states = Counter(row.state for row in self._rows.values())
        return {state: states[state] for state in ("ready", "leased", "done", "dead")}

    async def close(self) -> None:
        self._rows.clear()

    def _heads(self) -> list[_Row]:
        """The oldest open job of each partition."""
        heads: dict[str, _Row] = {}
        for row in self._rows.values():
            if row.open:
                heads.setdefault(row.job.scope.partition, row)
        return list(heads.values())

    def _held(self, job: Job) -> _Row | None:
        row = self._rows.get(job.id)
        return row if row and row.state == "leased" and row.job.lease == job.lease else None
