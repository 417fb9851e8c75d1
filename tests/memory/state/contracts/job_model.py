"""A job queue in a few lines, to compare real ones with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import NamedTuple

import hypothesis.strategies as st

from recollect.memory.database.jobs import SqlJobs
from recollect.memory.model.owner import covers
from recollect.memory.model.types import Job, Scope
from tests.memory.state.samples import NOON

FAR = NOON + timedelta(days=3650)
LEASE = 10.0


class Step(NamedTuple):
    """One thing that is done, and a number that says to which job or for how long."""

    kind: str
    number: int


steps = st.builds(
    Step,
    st.sampled_from(
        (
            *(
                "put",
                "put",
                "claim",
                "claim",
                "claim",
                "ack",
                "ack",
                "retry",
                "uncount",
                "dead_letter",
            ),
            *("extend", "checkpoint", "revive", "hasten", "erase", "tenant", "clock"),
        )
    ),
    st.integers(0, 5),
)


@dataclass(slots=True)
class _Row:
    job: Job
    state: str = "ready"
    not_before: float = 0
    lease_until: float = 0
    error: str | None = None
    raw: str | None = None


class JobModel:
    """Does each step to itself and to a queue, and compares every answer.

    Six jobs of three users in two tenants; `_claimed` are the claims so far, also those whose
    lease was lost since.
    """

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._rows: list[_Row] = []
        self._claimed: list[Job] = []
        self._now = 0.0

    async def empty(self, queue: SqlJobs) -> None:
        """Remove what an earlier example left: claims are of all tenants."""
        for tenant in {report.job.scope.tenant for report in await queue.reports(limit=1000)}:
            await queue.erase(tenant)
        while job := await queue.claim(now=FAR, lease_seconds=LEASE):
            assert job.cancelled
            assert await queue.ack(job)
        assert await queue.reports() == []

    async def take(self, step: Step, queue: SqlJobs) -> None:
        kind, number = step
        match kind:
            case "put":
                assert await queue.put(self._job(number)) == self._put(self._job(number))
            case "claim":
                await self._claim(queue)
            case "clock":
                # Back as well as forth.
                self._now += (-3.0, 1.0, 4.0, 11.0, 11.0, 30.0)[number]
            case "revive":
                known = self._job(number)
                owner_ref = (None, f"{self._prefix}-1", self._job(0).scope)[number // 2]
                meant = owner_ref is None or covers(owner_ref, known.scope)
                revived = await queue.revive(known.id, owner_ref=owner_ref)
                assert revived == (meant and self._revive(known.id))
            case "hasten":
                known = self._job(number)
                assert await queue.hasten(known.id) == self._hasten(known.id)
            case "erase":
                scope = self._job(number).scope
                assert await queue.erase(scope) == self._erase(scope)
            case "tenant":
                tenant = self._job(number).scope.tenant
                assert await queue.erase(tenant) == self._erase(tenant)
            case _ if self._claimed:
                job = self._claimed[-1 - number % len(self._claimed)]
                assert await self._change(kind, job, queue) == self._changed(kind, job)

    async def compare(self, queue: SqlJobs) -> None:
        """Both have the same jobs in the same states."""
        states = [row.state for row in self._rows]
        assert await queue.counts() == {
            state: states.count(state) for state in ("ready", "leased", "done", "dead")
        }
        assert await queue.depth() == states.count("ready") + states.count("leased")
        assert (await queue.oldest() is None) == (await queue.depth() == 0)
        found = {
            report.job.id: (report.job, report.state.value, report.error, report.raw)
            for report in await queue.reports()
        }
        assert found == {
            row.job.id: (
                replace(row.job, lease=None, checkpoint=None),
                row.state,
                row.error,
                row.raw,
            )
            for row in self._rows
        }
        assert list(found) == [row.job.id for row in reversed(self._rows)]

    async def _claim(self, queue: SqlJobs) -> None:
        now = NOON + timedelta(seconds=self._now)
        job = await queue.claim(now=now, lease_seconds=LEASE)
        row = self._claimable()
        assert (job is None) == (row is None)
        if job is not None and row is not None:
            assert job.lease is not None
            row.state, row.lease_until = "leased", self._now + LEASE
            row.job = replace(row.job, attempts=row.job.attempts + 1, lease=job.lease)
            assert job == row.job
            self._claimed.append(job)

    def _claimable(self) -> _Row | None:
        seen = set()
        for row in self._rows:
            if row.state in {"ready", "leased"} and row.job.scope.partition not in seen:
                seen.add(row.job.scope.partition)
                if row.not_before <= self._now and row.lease_until <= self._now:
                    return row
        return None

    async def _change(self, kind: str, job: Job, queue: SqlJobs) -> bool:
        at = NOON + timedelta(seconds=self._now + 5)
        match kind:
            case "ack":
                return await queue.ack(job)
            case "retry":
                return await queue.retry(job, at=at, error="failed")
            case "uncount":
                return await queue.retry(job, at=at, error="waits", count=False)
            case "dead_letter":
                return await queue.dead_letter(job, error="poison", raw="said", after_seq=4)
            case "extend":
                return await queue.extend(job, until=at + timedelta(seconds=LEASE))
            case _:
                return await queue.save_checkpoint(job, "decisions")

    def _changed(self, kind: str, job: Job) -> bool:
        row = next(
            (r for r in self._rows if r.state == "leased" and r.job.lease == job.lease), None
        )
        if row is None:
            return False
        if kind == "extend":
            row.lease_until = self._now + 5 + LEASE
        elif kind == "checkpoint":
            row.job = replace(row.job, checkpoint="decisions")
        elif kind == "ack":
            if row.job.cancelled:
                self._rows.remove(row)
            row.state = "done"
        elif kind == "dead_letter":
            row.state, row.error, row.raw = "dead", "poison", "said"
            row.job = replace(row.job, after_seq=4)
        else:
            row.error = "failed" if kind == "retry" else "waits"
            self._release(row, at=self._now + 5)
            if kind == "uncount":
                row.job = replace(row.job, attempts=row.job.attempts - 1)
        return True

    def _release(self, row: _Row, *, at: float) -> None:
        row.state, row.not_before, row.lease_until = "ready", at, -1e9
        row.job = replace(row.job, lease=None)

    def _put(self, job: Job) -> bool:
        if any(row.job.id == job.id for row in self._rows):
            return False
        self._rows.append(_Row(job, not_before=-1e9, lease_until=-1e9))
        return True

    def _revive(self, job_id: str) -> bool:
        for row in self._rows:
            if row.job.id == job_id and row.state == "dead":
                self._rows.remove(row)
                self._rows.append(row)
                self._release(row, at=-1e9)
                row.job = replace(row.job, attempts=0)
                row.error = row.raw = None
                return True
        return False

    def _hasten(self, job_id: str) -> bool:
        for row in self._rows:
            if row.job.id == job_id and row.state == "ready":
                row.not_before = -1e9
                return True
        return False

    def _erase(self, owner_ref: Scope | str) -> int:
        count, kept = 0, []
        for row in self._rows:
            meant = covers(owner_ref, row.job.scope)
            waits = row.job.cancelled and row.state in {"ready", "leased"}
            if meant and not waits:
                count += 1
                row.job = replace(row.job, cancelled=True, checkpoint=None, lease="nobody")
            if not meant or waits or row.state == "leased":
                kept.append(row)
        self._rows = kept
        return count

    def _job(self, number: int) -> Job:
        scope = (
            Scope(tenant=f"{self._prefix}-1", user_id="alice"),
            Scope(tenant=f"{self._prefix}-1", user_id="alice", agent_id="work"),
            Scope(tenant=f"{self._prefix}-2", user_id="alice"),
        )[number % 3]
        return Job(
            id=f"{self._prefix}-{number}",
            scope=scope,
            conversation_id=f"c{number}",
            upto_seq=number + 1,
            reason="test",
        )
