"""The durable job queue in SQLite."""

from __future__ import annotations

import sqlite3
import uuid
from dataclasses import replace
from datetime import datetime, timedelta

from ...times import to_ms
from ...types import Job
from .database import Database
from .rows import scope_from, text_or_none

# Only the oldest open job of a partition may run: a user's turns are learned in order, by one
# worker at a time, and a job that waits for its retry holds back its successors.
_CLAIM = """
    UPDATE jobs SET state = 'leased', attempts = attempts + 1, lease = :lease, lease_until = :until
    WHERE id = (
        SELECT id FROM jobs j
        WHERE state IN ('ready', 'leased') AND not_before <= :now AND lease_until <= :now
          AND queued_order = (SELECT min(queued_order) FROM jobs o
                              WHERE o.partition = j.partition AND o.state IN ('ready', 'leased'))
        ORDER BY queued_order LIMIT 1
    )
    RETURNING id, tenant, user_id, agent_id, run_id, conversation_id, upto_seq, reason, attempts,
              checkpoint
"""


class SqliteJobs:
    """A `JobQueue` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take_back(self) -> int:
        """Make every leased job ready at once: for a process that knows it is the only one left.

        The attempt stays counted, so a job that kills its worker each time still ends.
        """
        return await self._database.run(
            lambda connection: (
                connection.execute(
                    "UPDATE jobs SET state = 'ready', lease = NULL, lease_until = 0 "
                    "WHERE state = 'leased'"
                ).rowcount
            )
        )

    async def put(self, job: Job) -> bool:
        scope = job.scope

        def write(connection: sqlite3.Connection) -> bool:
            cursor = connection.execute(
                "INSERT OR IGNORE INTO jobs (id, tenant, user_id, agent_id, run_id, partition, "
                "conversation_id, upto_seq, reason, queued_order) VALUES (?, ?, ?, ?, ?, ?, ?, ?, "
                "?, (SELECT coalesce(max(queued_order), 0) + 1 FROM jobs))",
                (
                    job.id,
                    scope.tenant,
                    scope.user_id,
                    scope.agent_id,
                    scope.run_id,
                    scope.partition,
                    job.conversation_id,
                    job.upto_seq,
                    job.reason,
                ),
            )
            return cursor.rowcount == 1

        return await self._database.run(write)

    async def claim(self, *, now: datetime, lease_seconds: float) -> Job | None:
        lease = uuid.uuid4().hex
        values = {
            "lease": lease,
            "now": to_ms(now),
            "until": to_ms(now + timedelta(seconds=lease_seconds)),
        }

        def write(connection: sqlite3.Connection) -> Job | None:
            row = connection.execute(_CLAIM, values).fetchone()
            return None if row is None else replace(_job(row), lease=lease)

        return await self._database.run(write)

    async def extend(self, job: Job, *, until: datetime) -> bool:
        return await self._change(job, "lease_until = ?", to_ms(until))

    async def save_checkpoint(self, job: Job, checkpoint: str) -> bool:
        return await self._change(job, "checkpoint = ?", checkpoint)

    async def ack(self, job: Job) -> bool:
        return await self._change(job, "state = 'done', lease = NULL, checkpoint = NULL")

    async def retry(self, job: Job, *, at: datetime, error: str, count: bool = True) -> bool:
        change = (
            "state = 'ready', lease = NULL, lease_until = 0, not_before = ?, error = ?, "
            "attempts = attempts - ?"
        )
        return await self._change(job, change, to_ms(at), error, 0 if count else 1)

    async def bury(self, job: Job, *, error: str) -> bool:
        return await self._change(job, "state = 'dead', lease = NULL, error = ?", error)

    async def counts(self) -> dict[str, int]:
        def read(connection: sqlite3.Connection) -> dict[str, int]:
            rows = connection.execute("SELECT state, count(*) FROM jobs GROUP BY state")
            return {"ready": 0, "leased": 0, "done": 0, "dead": 0, **dict(rows.fetchall())}

        return await self._database.run(read)

    async def close(self) -> None:
        await self._database.close()

    async def _change(self, job: Job, assignments: str, *values: object) -> bool:
        """Change the row if `job` still holds its lease."""
        sql = f"UPDATE jobs SET {assignments} WHERE id = ? AND state = 'leased' AND lease = ?"  # noqa: S608 - assignments are constants above

        def write(connection: sqlite3.Connection) -> bool:
            return connection.execute(sql, (*values, job.id, job.lease)).rowcount == 1

        return await self._database.run(write)


def _job(row: tuple[object, ...]) -> Job:
    job_id, tenant, user_id, agent_id, run_id, conversation_id, upto_seq, reason, *rest = row
    attempts, checkpoint = rest
    return Job(
        id=str(job_id),
        scope=scope_from(tenant, user_id, agent_id, run_id),
        conversation_id=str(conversation_id),
        upto_seq=int(str(upto_seq)),
        reason=str(reason),
        attempts=int(str(attempts)),
        checkpoint=text_or_none(checkpoint),
    )
