"""The durable job queue.

Only the oldest open job of a partition may run: a user's turns are learned in order, by one worker
at a time, and a job that waits for its retry holds back its successors. Who enters the line waits
for who enters it at the same time, so that places are taken in the order of commits: whoever sees a
job sees all that are before it. The tasks of the API wait in the same line, see `SqlTasks`.

Moments are the database's, see `ScriptRunner.shift_ms`: a worker whose clock is an hour ahead takes
over no lease. If an answer to `claim` is lost, the job is claimed again after its lease.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from ..model.costs import LEARNING
from ..model.jobs import Leased
from ..model.owner import owning_tenant
from ..model.tasks import TASK, UPLOAD
from ..model.times import LONGEST_REST, from_ms, to_ms
from ..model.types import Job, JobReport, JobState, OwnerRef, utc_now
from .job_rows import JOB, REPORT, job_from, report_from, values_of
from .rows import filled, whose, whose_or_all
from .scripts import LINE, Row, Script, ScriptRunner, SqlStatement, listed

_OPEN = "state IN ('ready', 'leased')"
_KINDS = ", ".join(f"'{kind.value}'" for kind in sorted(LEARNING))
TASKS = f"kind IN ('{TASK}', '{UPLOAD}')"
"""The condition for the tasks of the API."""
_WORK = f"NOT {TASKS}"
LAST_IN_LINE = "(SELECT coalesce(max(queued_order), 0) + 1 FROM jobs)"

CLAIM = f"""
    UPDATE jobs SET state = 'leased', attempts = attempts + 1, lease = :lease, lease_until = :until
    WHERE id = (
        SELECT id FROM jobs AS j
        WHERE {_OPEN} AND {{which}}
          AND (not_before <= :now OR not_before > :far) AND lease_until <= :now
          AND queued_order = (SELECT min(queued_order) FROM jobs AS o
                              WHERE o.partition = j.partition AND o.state IN ('ready', 'leased'))
        ORDER BY queued_order LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    RETURNING {{columns}}
"""  # noqa: S608 - constants
_PUT = f"""
    INSERT INTO jobs (id, tenant, user_id, agent_id, run_id, partition, conversation_id,
                      upto_seq, reason, after_seq, kind, queued_at, queued_order)
    VALUES (:id, :tenant, :user_id, :agent_id, :run_id, :partition, :conversation_id,
            :upto_seq, :reason, :after_seq, :kind, :queued_at, {LAST_IN_LINE})
    ON CONFLICT (id) DO NOTHING RETURNING id
"""  # noqa: S608 - a constant
# To the end of the queue: another job of this user may be running.
_REVIVE = f"""
    UPDATE jobs SET state = 'ready', attempts = 0, lease = NULL, lease_until = 0, not_before = 0,
                    error = NULL, raw = NULL, queued_at = :queued_at, queued_order = {LAST_IN_LINE}
    WHERE id = :id AND state = 'dead' AND {_WORK} AND {{where}} RETURNING id
"""  # noqa: S608 - a constant
_CLAIM = CLAIM.format(which=_WORK, columns=JOB)
_HASTEN = "UPDATE jobs SET not_before = 0 WHERE id = :id AND state = 'ready' RETURNING id"
HELD = "WHERE id = :id AND state = 'leased' AND lease = :lease"
_DONE = f"""
    UPDATE jobs SET state = 'done', lease = NULL, checkpoint = NULL {HELD} RETURNING cancelled
"""  # noqa: S608 - constants
_RETRY = """
    state = 'ready', lease = NULL, lease_until = 0, not_before = :at, error = :error,
    attempts = attempts - :uncounted
"""
_DEAD = """
    state = 'dead', lease = NULL, error = :error, raw = :raw,
    after_seq = coalesce(:after_seq, after_seq)
"""
_TAKE_BACK = """
    UPDATE jobs SET state = 'ready', lease = NULL, lease_until = 0
    WHERE state = 'leased' AND coalesce(lease, '') LIKE :held RETURNING id
"""
# A job that is cancelled stays until its next holder has cleaned up. One that is leased now loses
# its lease and is claimed again when the lease would have ended.
_REMOVE = f"""
    DELETE FROM jobs WHERE state <> 'leased' AND NOT (state = 'ready' AND cancelled = 1)
    AND {_WORK} AND {{where}} RETURNING id
"""  # noqa: S608 - a constant
_CANCEL = f"""
    UPDATE jobs SET cancelled = 1, checkpoint = NULL, error = NULL, lease = NULL
    WHERE state = 'leased' AND cancelled = 0 AND {_WORK} AND {{where}} RETURNING id
"""  # noqa: S608 - a constant
# The newest stays: it shows that learning works again since the last job that failed.
_PRUNE = f"""
    DELETE FROM jobs WHERE state = 'done' AND {_WORK} AND lease_until < :before
    AND queued_order < (SELECT max(queued_order) FROM jobs WHERE state = 'done' AND {_WORK})
    RETURNING id
"""  # noqa: S608 - constants
_COUNT = f"SELECT state, count(*) FROM jobs WHERE {_WORK} AND {{where}} GROUP BY state"  # noqa: S608 - a constant
_DEPTH = f"SELECT count(*) FROM jobs WHERE {_OPEN} AND {_WORK}"  # noqa: S608 - constants
_OLDEST = f"""
    SELECT queued_at FROM jobs WHERE {_OPEN} AND kind IN ({_KINDS}) AND {{where}}
    ORDER BY queued_order LIMIT 1
"""  # noqa: S608 - constants


class SqlJobs:
    """Durable work with leases. One live lease per partition: a user's jobs run in order.

    The tasks of the API are in the same queue with the same leases. They are neither
    claimed nor counted, listed, revived or erased here.
    """

    def __init__(self, scripts: ScriptRunner, holder: str = "") -> None:
        """`holder` begins every lease, so that those of several processes can be told apart."""
        self._scripts = scripts
        self._holder = holder

    async def take_back(self) -> int:
        """Make every job that its holder leased ready; for one that is known to be the only one.

        The attempt stays counted, so that a job that kills its worker each time still ends. A
        cancelled job stays cancelled: its next holder cleans up after the dead one.
        """
        return len(await self._scripts.statement(_TAKE_BACK, {"held": f"{self._holder}%"}))

    async def put(self, job: Job, *, at: datetime | None = None) -> bool:
        """Enqueue durably, `at` now by the database's clock; False if a job of this id is known."""
        queued_at = await self.ms(utc_now()) if at is None else to_ms(at)
        values = {**values_of(job), "queued_at": queued_at}
        return bool(await self._scripts.statement(_PUT, values, once=LINE))

    async def claim(self, *, now: datetime, lease_seconds: float) -> Job | None:
        """Lease the oldest job that may run now to the caller and count its attempt."""
        lease = self.new_lease()
        row = await self.take(_CLAIM, lease, now=now, lease_seconds=lease_seconds)
        return replace(job_from(row), lease=lease) if row else None

    def new_lease(self) -> str:
        """A lease that nobody had before."""
        return f"{self._holder}{uuid.uuid4().hex}"

    async def take(
        self, claim: str, lease: str, *, now: datetime, lease_seconds: float
    ) -> Row | None:
        """The row that a statement made of `CLAIM` gives this lease; None if none can run now."""
        now += timedelta(milliseconds=await self._scripts.shift_ms())
        values = {
            "lease": lease,
            "now": to_ms(now),
            "far": to_ms(now + LONGEST_REST),
            "until": to_ms(now + timedelta(seconds=lease_seconds)),
        }
        rows = await self._scripts.statement(claim, values)
        return rows[0] if rows else None

    async def extend(self, job: Leased, *, until: datetime) -> bool:
        """Extend the lease; False if it was lost."""
        return await self.change(job, "lease_until = :until", until=await self.ms(until))

    async def save_checkpoint(self, job: Job, checkpoint: str | None) -> bool:
        """Store the decisions with the job; False if the lease was lost."""
        return await self.change(job, "checkpoint = :checkpoint", checkpoint=checkpoint)

    async def ack(self, job: Job) -> bool:
        """Mark the job as done, which is final. False if the lease was lost."""
        return await self._scripts.change(lambda: _ack(job), tenants={job.scope.tenant})

    async def retry(self, job: Leased, *, at: datetime, error: str, count: bool = True) -> bool:
        """Return it for later; ``count=False`` uncounts the attempt, which never really ran."""
        at_ms, uncounted = await self.ms(at), 0 if count else 1
        return await self.change(job, _RETRY, at=at_ms, error=error, uncounted=uncounted)

    async def hasten(self, job_id: str) -> bool:
        """Let a job that waits for its retry run now; False if no ready job has this id."""
        return bool(await self._scripts.statement(_HASTEN, {"id": job_id}))

    async def dead_letter(
        self, job: Job, *, error: str, raw: str | None = None, after_seq: int | None = None
    ) -> bool:
        """Give up on it but keep it with the model's answer; False if the lease was lost.

        Its successors may run. With `after_seq` it learns, once revived, the turns after that
        position again, although they count as learned by then.
        """
        return await self.change(job, _DEAD, error=error, raw=raw, after_seq=after_seq)

    async def drop_answers(self, owner_ref: OwnerRef) -> int:
        """Drop the models' answers that this owner's dead jobs were kept with; how many."""
        where, values = whose(owner_ref)
        sql = f"UPDATE jobs SET raw = NULL WHERE raw IS NOT NULL AND {where} RETURNING id"  # noqa: S608 - see `whose`
        gone = await self._scripts.change(
            lambda: listed(sql, values, tuple), tenants={owning_tenant(owner_ref)}, erases=True
        )
        return len(gone)

    async def reason_of(self, job_id: str) -> str | None:
        """The reason of a job as it is kept; None if there is none."""
        sql = "SELECT reason FROM jobs WHERE id = :id"
        rows = await self._scripts.rows(sql, {"id": job_id}, lambda row: str(row[0]))
        return rows[0] if rows else None

    async def budgets(self, owner_ref: OwnerRef, budget: str) -> list[str]:
        """The reasons of an owner's open jobs of a budget, as they are at one moment."""
        where, owner = whose(owner_ref)
        sql = f"SELECT reason FROM jobs WHERE {_OPEN} AND reason LIKE :of AND {where}"  # noqa: S608 - see `whose`
        return await self._scripts.rows(
            sql, {**owner, "of": f"{budget}:%"}, lambda row: str(row[0])
        )

    async def spend_nothing(self, owner_ref: OwnerRef, budget: str) -> None:
        """End an owner's jobs of a budget; one that is leased ends, and none follows it."""
        where, owner = whose(owner_ref)
        values = {**owner, "of": f"{budget}:%", "none": f"{budget}:0"}
        of_it = f"reason LIKE :of AND {where}"

        def script() -> Script[None]:
            leased, ready = f"state = 'leased' AND {of_it}", f"state = 'ready' AND {of_it}"
            yield SqlStatement(f"UPDATE jobs SET reason = :none WHERE {leased}", values)  # noqa: S608 - see `whose`
            yield SqlStatement(f"DELETE FROM jobs WHERE {ready}", values)  # noqa: S608 - see `whose`

        await self._scripts.change(script, tenants={owning_tenant(owner_ref)})

    async def counts(self, owner_ref: OwnerRef | None = None) -> dict[str, int]:
        """Jobs by state: ``ready``, ``leased``, ``done``, ``dead``; of an owner, or of all."""
        where, values = whose_or_all(owner_ref)
        rows = await self._scripts.rows(_COUNT.format(where=where), values, tuple)
        return {state.value: 0 for state in JobState} | dict(rows)

    async def depth(self) -> int:
        """Number of jobs that are ready or leased; cheap, for a limit."""
        [(count,)] = await self._scripts.statement(_DEPTH, {})
        return int(count)

    async def oldest(self, owner_ref: OwnerRef | None = None) -> datetime | None:
        """When the oldest job that is ready or leased was enqueued; without upkeep, which waits."""
        where, values = whose_or_all(owner_ref)
        rows = await self._scripts.rows(_OLDEST.format(where=where), values, tuple)
        return from_ms(rows[0][0] - await self._scripts.shift_ms()) if rows else None

    async def reports(
        self,
        owner_ref: OwnerRef | None = None,
        *,
        state: JobState | None = None,
        limit: int = 100,
    ) -> list[JobReport]:
        """Jobs of an owner, or of all, newest first; without leases and checkpoints."""
        owner, wanted = whose_or_all(owner_ref)
        where = f"{_WORK} AND {owner}"
        if state is not None:
            where, wanted = f"{where} AND state = :state", {**wanted, "state": state.value}
        sql = f"SELECT {REPORT} FROM jobs WHERE {where} ORDER BY queued_order DESC LIMIT :limit"  # noqa: S608 - constants
        shift = await self._scripts.shift_ms()
        values = {**wanted, "limit": limit}
        return await self._scripts.rows(sql, values, lambda row: report_from(row, shift))

    async def revive(self, job_id: str, *, owner_ref: OwnerRef | None = None) -> bool:
        """Make a dead job ready again with no attempts; False if there is no such dead job.

        With `owner_ref` only a job of that tenant, or of what that scope admits.
        """
        where, owner = whose_or_all(owner_ref)
        values = {**owner, "id": job_id, "queued_at": await self.ms(utc_now())}
        sql = _REVIVE.format(where=where)
        return bool(await self._scripts.statement(sql, values, once=LINE))

    async def prune(self, *, before: datetime) -> int:
        """Remove the jobs that were done before then, but for the newest one; returns how many."""
        return len(await self._scripts.statement(_PRUNE, {"before": await self.ms(before)}))

    async def erase(self, owner_ref: OwnerRef) -> int:
        """Remove the jobs of a tenant, or of all that a scope admits; returns how many.

        A leased job stays until its lease ends, `cancelled`, without its checkpoint; its holder has
        lost it. The next worker to claim it cleans up; `ack` removes it. It may be put again.
        """
        where, values = whose(owner_ref)
        return await self._scripts.change(
            lambda: _erase(where, values), tenants={owning_tenant(owner_ref)}, erases=True
        )

    async def change(self, job: Leased, assignments: str, **values: object) -> bool:
        """Change the row if `job` still holds its lease."""
        sql = f"UPDATE jobs SET {assignments} {HELD} RETURNING id"  # noqa: S608 - constants
        values |= {**filled(job.scope), "id": job.id, "lease": job.lease}
        return bool(await self._scripts.statement(sql, values, once=owning_tenant(job.scope)))

    async def ms(self, moment: datetime) -> int:
        """A moment of this process by the clock of the database."""
        return to_ms(moment) + await self._scripts.shift_ms()


def _ack(job: Job) -> Script[bool]:
    held = yield SqlStatement(_DONE, {"id": job.id, "lease": job.lease})
    if held and held[0][0]:
        # The holder has cleaned up, so a cancelled job is removed like the others of its scope.
        yield SqlStatement("DELETE FROM jobs WHERE id = :id", {"id": job.id})
    return bool(held)


def _erase(where: str, values: Mapping[str, object]) -> Script[int]:
    # In this order: what is claimed before it could be removed is leased by then.
    removed = yield SqlStatement(_REMOVE.format(where=where), values)
    cancelled = yield SqlStatement(_CANCEL.format(where=where), values)
    return len(cancelled) + len(removed)
