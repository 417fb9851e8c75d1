"""The job queue in Redis: a stream with a consumer group, leases, and Lua scripts.

All of it is on one node of a cluster: finding the oldest runnable job compares all jobs and claims
one in one step. `job_scripts` describes the keys.
"""

from __future__ import annotations

import json
import os
import socket
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import astuple
from datetime import datetime, timedelta
from typing import Any

from ...database.rows import scope_from
from ...model.costs import LEARNING
from ...model.jobs import JobKind
from ...model.owner import covers
from ...model.times import from_ms, to_ms
from ...model.types import Job, JobReport, JobState, OwnerRef, Scope, utc_now
from ..clock import ServerClock
from . import job_scripts as scripts
from .keys import Keys, encoded
from .wire import Script, Wire, in_parts


def job_body(job: Job) -> str:
    """The fields of a job that never change, as JSON."""
    return json.dumps(
        {
            "id": job.id,
            "scope": astuple(job.scope),
            "conversation": job.conversation_id,
            "upto": job.upto_seq,
            "reason": job.reason,
            "kind": job.kind.value,
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
        kind=JobKind(fixed["kind"]),
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


_AT_ONCE = 100
_DONE_MS = 86_400_000
"""A day. A job that is put again after this finds nothing to learn."""
_IDLE_MS = 86_400_000
"""A worker that holds nothing and was idle for this long is considered gone; a day."""


class RedisJobs:
    """A `JobQueue` shared by all processes.

    A change that is resent because its answer was lost is done once and answered as at first; a
    resent claim gets the same job under the same lease. There are two exceptions: `erase` does not
    count again what it removed, and `ack` of a cancelled job, which leaves no trace, says that the
    lease was lost. If no answer arrives at all, a claimed job is claimed again after its lease.

    Moments are compared by the server's clock, see `clock`.
    """

    def __init__(self, wire: Wire, keys: Keys, *, turn_ttl: timedelta) -> None:
        self._wire = wire
        self._keys = keys
        self._fixed = keys.jobs(*scripts.NAMES)
        self._clock = ServerClock(self._server_time)
        # Shorter than conversations are kept: later their positions, which name jobs, may start
        # anew.
        self._ttl_ms = max(1, min(_DONE_MS, turn_ttl // timedelta(milliseconds=2)))
        self._worker = f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"

    async def put(self, job: Job) -> bool:
        return await self._did(
            scripts.PUT,
            [self._keys.done(job.id)],
            job.id,
            encoded(job.partition),
            job.scope.tenant,
            job_body(job),
            await self._here(utc_now()),
            uuid.uuid4().hex,
        )

    async def claim(self, *, now: datetime, lease_seconds: float) -> Job | None:
        lease = uuid.uuid4().hex
        until = now + timedelta(seconds=lease_seconds)
        from_, till = await self._here(now), await self._here(until)
        found = await self._wire.run(scripts.CLAIM, self._fixed, from_, till, lease, self._worker)
        if found is None:
            return None
        _, body, attempts, cancelled, after, checkpoint = found
        return read_job(
            body,
            attempts=int(attempts),
            lease=lease,
            checkpoint=checkpoint,
            cancelled=bool(cancelled),
            after_seq=None if after == "" else int(after),
        )

    async def extend(self, job: Job, *, until: datetime) -> bool:
        return await self._change(scripts.EXTEND, job, await self._here(until))

    async def save_checkpoint(self, job: Job, checkpoint: str) -> bool:
        return await self._change(scripts.CHECKPOINT, job, checkpoint)

    async def ack(self, job: Job) -> bool:
        done = [self._keys.done(job.id)]
        return await self._did(scripts.ACK, done, *_held(job), self._ttl_ms)

    async def retry(self, job: Job, *, at: datetime, error: str, count: bool = True) -> bool:
        return await self._change(scripts.RETRY, job, await self._here(at), error, int(count))

    async def hasten(self, job_id: str) -> bool:
        return await self._did(scripts.HASTEN, [], job_id)

    async def dead_letter(
        self, job: Job, *, error: str, raw: str | None = None, after_seq: int | None = None
    ) -> bool:
        after = "" if after_seq is None else after_seq
        said = [] if raw is None else [raw]
        return await self._change(scripts.DEAD_LETTER, job, error, after, *said)

    async def drop_answers(self, owner_ref: OwnerRef) -> int:
        dropped = 0
        kept = await self._wire.send(("HKEYS", self._named("raw")))
        for part in in_parts(kept, _AT_ONCE):
            meant = [
                report.job.id
                async for report in self._reports(part)
                if covers(owner_ref, report.job.scope)
            ]
            if meant:
                dropped += int(await self._wire.send(("HDEL", self._named("raw"), *meant)))
        return dropped

    async def counts(self, owner_ref: OwnerRef | None = None) -> dict[str, int]:
        """As the port; of an owner, all jobs are read."""
        if owner_ref is not None:
            states = Counter([each.state.value async for each in self._of(owner_ref)])
            return {state.value: states[state.value] for state in JobState}
        counts = await self._wire.run(scripts.COUNTS, self._fixed, self._ttl_ms)
        return dict(zip(("ready", "leased", "done", "dead"), map(int, counts), strict=True))

    async def depth(self) -> int:
        return int(await self._wire.send(("ZCARD", self._named("line"))))

    async def oldest(self, owner_ref: OwnerRef | None = None) -> datetime | None:
        """As the port; of an owner, all jobs are read."""
        if owner_ref is not None:
            open_ = (JobState.READY, JobState.LEASED)
            times = [
                one.queued_at
                async for one in self._of(owner_ref)
                if one.state in open_ and one.job.kind in LEARNING
            ]
            return min(times, default=None)
        kinds = (JobKind.LEARN, *(LEARNING - {JobKind.LEARN}))
        queued = await self._wire.run(scripts.OLDEST, self._fixed, *kinds)
        return None if queued is None else from_ms(int(queued) - await self._clock.shift_ms())

    async def reports(
        self, *, tenant: str | None = None, state: JobState | None = None, limit: int = 100
    ) -> list[JobReport]:
        found: list[JobReport] = []
        async for ids in self._all():
            if len(found) >= limit:
                break
            found += [
                report
                async for report in self._reports(ids)
                if tenant in {None, report.job.scope.tenant} and state in {None, report.state}
            ]
        return found[:limit]

    async def revive(self, job_id: str, *, owner_ref: OwnerRef | None = None) -> bool:
        if isinstance(owner_ref, Scope):
            # A job's scope never changes, so it need not be read in the same step.
            found = [report async for report in self._reports([job_id])]
            if not found or not owner_ref.admits(found[0].job.scope):
                return False
        tenant = owner_ref.tenant if isinstance(owner_ref, Scope) else owner_ref
        any_tenant, queued = int(tenant is None), await self._here(utc_now())
        call = uuid.uuid4().hex
        return await self._did(scripts.REVIVE, [], job_id, any_tenant, tenant or "", queued, call)

    async def erase(self, owner_ref: OwnerRef) -> int:
        meant: list[str] = []
        async for ids in self._all():
            meant += [
                report.job.id
                async for report in self._reports(ids)
                if covers(owner_ref, report.job.scope)
            ]
        erased = 0
        for part in in_parts(meant, _AT_ONCE):
            done = [self._keys.done(job_id) for job_id in part]
            erased += int(await self._wire.run(scripts.ERASE, [*self._fixed, *done], *part))
        return erased

    async def tidy(self) -> int:
        """Remove workers that hold nothing and were not seen for a day; returns how many."""
        return int(await self._wire.run(scripts.TIDY, self._fixed, _IDLE_MS))

    async def close(self) -> None:
        """The connections belong to `RedisState`, which closes them."""

    async def _change(self, script: Script, job: Job, *args: str | int) -> bool:
        return await self._did(script, [], *_held(job), *args)

    async def _did(self, script: Script, keys: Sequence[str], *args: str | int) -> bool:
        return bool(await self._wire.run(script, [*self._fixed, *keys], *args))

    async def _here(self, moment: datetime) -> int:
        """A moment of our clock converted to the server's, in ms."""
        return to_ms(moment) + await self._clock.shift_ms()

    async def _server_time(self) -> tuple[int, int]:
        seconds, microseconds = await self._wire.run(scripts.TIME, [self._named("meta")])
        return int(seconds), int(microseconds)

    def _named(self, name: str) -> str:
        return self._fixed[scripts.NAMES.index(name)]

    async def _all(self) -> AsyncIterator[list[str]]:
        """The ids of every job, newest first, in batches; may omit jobs that end meanwhile."""
        bound = "+inf"
        while found := await self._wire.send(
            (
                *("ZREVRANGEBYSCORE", self._named("all"), bound, "-inf"),
                *("WITHSCORES", "LIMIT", 0, _AT_ONCE),
            )
        ):
            yield found[::2]
            bound = f"({found[-1]}"

    async def _of(self, owner_ref: OwnerRef) -> AsyncIterator[JobReport]:
        """The jobs of an owner, newest first."""
        async for ids in self._all():
            async for report in self._reports(ids):
                if covers(owner_ref, report.job.scope):
                    yield report

    async def _reports(self, ids: Sequence[str]) -> AsyncIterator[JobReport]:
        """Reports of these jobs, in the same order, without jobs that are gone."""
        if not ids:
            return
        shift_ms = await self._clock.shift_ms()
        rows, raws, done = await self._wire.send_all(
            [
                ("HMGET", self._named("rows"), *ids),
                ("HMGET", self._named("raw"), *ids),
                ("MGET", *(self._keys.done(job_id) for job_id in ids)),
            ]
        )
        for open_row, raw, done_row in zip(rows, raws, done, strict=True):
            if row := open_row or done_row:
                yield read_report(row, raw=raw, shift_ms=shift_ms)


def _held(job: Job) -> tuple[str | int, ...]:
    return job.id, job.lease or "", uuid.uuid4().hex
