"""The durable job queue in SQLite."""

from __future__ import annotations

import sqlite3
import uuid
from dataclasses import asdict, replace
from datetime import datetime, timedelta

from ...database.rows import scope_from
from ...model.costs import LEARNING
from ...model.jobs import JobKind
from ...model.times import LONGEST_REST, from_ms, to_ms
from ...model.types import Job, JobReport, JobState, OwnerRef, utc_now
from .database import Database
from .rows import text_or_none, where_whose

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
        **asdict(job.scope),
        "partition": job.partition,
        "conversation_id": job.conversation_id,
        "upto_seq": job.upto_seq,
        "reason": job.reason,
        "after_seq": job.after_seq,
        "kind": job.kind.value,
    }


def job_from(row: tuple[object, ...]) -> Job:
    """The job kept in a row of `JOB`, without its lease."""
    conversation_id, upto_seq, reason, attempts, cancelled, after_seq, kind, checkpoint = row[5:]
    return Job(
        id=str(row[0]),
        scope=scope_from(*row[1:5]),
        conversation_id=str(conversation_id),
        upto_seq=int(str(upto_seq)),
        reason=str(reason),
        kind=JobKind(str(kind)),
        attempts=int(str(attempts)),
        cancelled=bool(cancelled),
        after_seq=None if after_seq is None else int(str(after_seq)),
        checkpoint=text_or_none(checkpoint),
    )


def report_from(row: tuple[object, ...]) -> JobReport:
    """The report kept in a row of `REPORT`."""
    state, queued_at, not_before, error, raw = row[13:]
    return JobReport(
        job=replace(job_from(row[:13]), checkpoint=None),
        state=JobState(str(state)),
        queued_at=from_ms(int(str(queued_at))),
        not_before=from_ms(int(str(not_before))) if not_before else None,
        error=text_or_none(error),
        raw=text_or_none(raw),
    )


_OPEN = "state IN ('ready', 'leased')"

_KINDS = ", ".join(f"'{kind.value}'" for kind in sorted(LEARNING))
_LEARNS = f"kind IN ({_KINDS})"

# Only the oldest open job of a partition may run: a user's turns are learned in order, by one
# worker at a time, and a job that waits for its retry holds back its successors.
_CLAIM = f"""
    UPDATE jobs SET state = 'leased', attempts = attempts + 1, lease = :lease, lease_until = :until
    WHERE id = (
        SELECT id FROM jobs j
        WHERE {_OPEN} AND (not_before <= :now OR not_before > :far) AND lease_until <= :now
          AND queued_order = (SELECT min(queued_order) FROM jobs o
                              WHERE o.partition = j.partition AND o.state IN ('ready', 'leased'))
        ORDER BY queued_order LIMIT 1
    )
    RETURNING {JOB}
"""  # noqa: S608 - constants

_LAST_IN_LINE = "(SELECT coalesce(max(queued_order), 0) + 1 FROM jobs)"

_PUT = f"""
    INSERT OR IGNORE INTO jobs (id, tenant, user_id, agent_id, run_id, partition, conversation_id,
                                upto_seq, reason, after_seq, kind, queued_at, queued_order)
    VALUES (:id, :tenant, :user_id, :agent_id, :run_id, :partition, :conversation_id,
            :upto_seq, :reason, :after_seq, :kind, :queued_at, {_LAST_IN_LINE})
"""  # noqa: S608 - a constant

# To the end of the queue: another job of this user may be running.
_REVIVE = f"""
    UPDATE jobs SET state = 'ready', attempts = 0, lease = NULL, lease_until = 0, not_before = 0,
                    error = NULL, raw = NULL, queued_at = ?, queued_order = {_LAST_IN_LINE}
    WHERE id = ? AND state = 'dead'
"""  # noqa: S608 - a constant


class SqliteJobs:
    """A `JobQueue` in one file."""

    def __init__(self, database: Database, holder: str = "") -> None:
        """`holder` begins every lease, so that those of several processes can be told apart."""
        self._database = database
        self._holder = holder

    async def take_back(self) -> int:
        """Make every job that its holder leased ready; for one that is known to be the only one.

        The attempt stays counted, so that a job that kills its worker each time still ends. A
        cancelled job stays cancelled: its next holder cleans up after the dead one.
        """
        return await self._database.change(
            "UPDATE jobs SET state = 'ready', lease = NULL, lease_until = 0 "
            "WHERE state = 'leased' AND coalesce(lease, '') LIKE ? || '%'",
            (self._holder,),
        )

    async def put(self, job: Job) -> bool:
        values = {**values_of(job), "queued_at": to_ms(utc_now())}
        return await self._database.change(_PUT, values) == 1

    async def claim(self, *, now: datetime, lease_seconds: float) -> Job | None:
        lease = f"{self._holder}{uuid.uuid4().hex}"
        values = {
            "lease": lease,
            "now": to_ms(now),
            "far": to_ms(now + LONGEST_REST),
            "until": to_ms(now + timedelta(seconds=lease_seconds)),
        }

        def write(connection: sqlite3.Connection) -> Job | None:
            row = connection.execute(_CLAIM, values).fetchone()
            return None if row is None else replace(job_from(row), lease=lease)

        return await self._database.run(write)

    async def extend(self, job: Job, *, until: datetime) -> bool:
        return await self._change(job, "lease_until = ?", to_ms(until))

    async def save_checkpoint(self, job: Job, checkpoint: str) -> bool:
        return await self._change(job, "checkpoint = ?", checkpoint)

    async def ack(self, job: Job) -> bool:
        def write(connection: sqlite3.Connection) -> bool:
            held = _change(connection, job, "state = 'done', lease = NULL, checkpoint = NULL")
            if held:
                # The holder has cleaned up, so a cancelled job is removed like the others of its
                # scope.
                connection.execute("DELETE FROM jobs WHERE id = ? AND cancelled", (job.id,))
            return held

        return await self._database.run(write)

    async def retry(self, job: Job, *, at: datetime, error: str, count: bool = True) -> bool:
        change = (
            "state = 'ready', lease = NULL, lease_until = 0, not_before = ?, error = ?, "
            "attempts = attempts - ?"
        )
        return await self._change(job, change, to_ms(at), error, 0 if count else 1)

    async def hasten(self, job_id: str) -> bool:
        sql = "UPDATE jobs SET not_before = 0 WHERE id = ? AND state = 'ready'"
        return await self._database.change(sql, (job_id,)) == 1

    async def dead_letter(
        self, job: Job, *, error: str, raw: str | None = None, after_seq: int | None = None
    ) -> bool:
        change = (
            "state = 'dead', lease = NULL, error = ?, raw = ?, after_seq = coalesce(?, after_seq)"
        )
        return await self._change(job, change, error, raw, after_seq)

    async def drop_answers(self, owner_ref: OwnerRef) -> int:
        where, values = where_whose(owner_ref)
        sql = f"UPDATE jobs SET raw = NULL WHERE raw IS NOT NULL AND {where}"  # noqa: S608 - see where_whose
        return await self._database.change(sql, values, erases=True)

    async def counts(self, owner_ref: OwnerRef | None = None) -> dict[str, int]:
        where, values = ("TRUE", []) if owner_ref is None else where_whose(owner_ref)
        sql = f"SELECT state, count(*) FROM jobs WHERE {where} GROUP BY state"  # noqa: S608 - see where_whose
        return {state.value: 0 for state in JobState} | dict(
            await self._database.read(sql, values, tuple)
        )

    async def depth(self) -> int:
        [(count,)] = await self._database.statement(f"SELECT count(*) FROM jobs WHERE {_OPEN}", {})  # noqa: S608 - a constant
        return int(count)

    async def oldest(self, owner_ref: OwnerRef | None = None) -> datetime | None:
        where, values = ("TRUE", []) if owner_ref is None else where_whose(owner_ref)
        rows = await self._database.read(
            f"SELECT queued_at FROM jobs WHERE {_OPEN} AND {_LEARNS} AND {where} "  # noqa: S608 - see where_whose
            "ORDER BY queued_order LIMIT 1",
            values,
            lambda row: int(str(row[0])),
        )
        return from_ms(rows[0]) if rows else None

    async def reports(
        self, *, tenant: str | None = None, state: JobState | None = None, limit: int = 100
    ) -> list[JobReport]:
        named = {"tenant": tenant, "state": state and state.value}
        wanted = {column: value for column, value in named.items() if value is not None}
        where = " AND ".join(["TRUE", *(f"{column} = :{column}" for column in wanted)])
        sql = f"SELECT {REPORT} FROM jobs WHERE {where} ORDER BY queued_order DESC LIMIT :limit"  # noqa: S608 - constants
        return await self._database.read(sql, {**wanted, "limit": limit}, report_from)

    async def revive(self, job_id: str, *, owner_ref: OwnerRef | None = None) -> bool:
        where, owner = ("TRUE", []) if owner_ref is None else where_whose(owner_ref)
        values = [to_ms(utc_now()), job_id, *owner]
        return await self._database.change(f"{_REVIVE} AND {where}", values) == 1

    async def erase(self, owner_ref: OwnerRef) -> int:
        where, values = where_whose(owner_ref)

        def write(connection: sqlite3.Connection) -> int:
            # A job that is already cancelled stays until its next holder has cleaned up. A job that
            # is leased now loses its lease and is claimed again when the lease would have ended.
            cancelled = connection.execute(
                "UPDATE jobs SET cancelled = 1, checkpoint = NULL, lease = NULL "  # noqa: S608 - see where_whose
                f"WHERE state = 'leased' AND NOT cancelled AND {where}",
                values,
            ).rowcount
            removed = connection.execute(
                f"DELETE FROM jobs WHERE NOT ({_OPEN} AND cancelled) AND {where}",  # noqa: S608 - see where_whose
                values,
            ).rowcount
            return cancelled + removed

        return await self._database.run(write, erases=True)

    async def close(self) -> None:
        await self._database.close()

    async def _change(self, job: Job, assignments: str, *values: object) -> bool:
        return await self._database.run(
            lambda connection: _change(connection, job, assignments, *values)
        )


def _change(connection: sqlite3.Connection, job: Job, assignments: str, *values: object) -> bool:
    """Change the row if `job` still holds its lease."""
    sql = f"UPDATE jobs SET {assignments} WHERE id = ? AND state = 'leased' AND lease = ?"  # noqa: S608 - constants
    return connection.execute(sql, (*values, job.id, job.lease)).rowcount == 1
