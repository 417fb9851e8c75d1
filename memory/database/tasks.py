"""Tasks of the API as jobs of the one queue, and their files in pieces.

What a caller is told of a task follows from the state of its job. Whichever process is asked finds
all of them; those that serve the API claim them, of each tenant one after the other.
"""

from __future__ import annotations

import asyncio
import json
import uuid
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from ..model.owner import Owner
from ..model.tasks import TASK, TASK_PIECE, UPLOAD, FitsRoom, Task, TaskKind, TaskState, UsedRoom
from ..model.times import from_ms, to_ms
from ..model.types import OwnerRef
from .jobs import CLAIM, HELD, LAST_IN_LINE, TASKS, SqlJobs
from .rows import digest, named, whose
from .scripts import Script, ScriptRunner, SqlStatement, listed

FORGOTTEN = "memories that are in its file were forgotten, so that the file was removed"
_LEVEL = 1
"""Of zlib. Vectors hardly get smaller at any."""
_AT_A_TIME = 4
"""Pieces that are removed in one transaction: each is overwritten, and others wait meanwhile."""
_IDS = ("user_id", "agent_id", "run_id")
_FIELDS = ("id", "attempts", "file", "size", "expected", "error")
"""Columns that are fields of a task."""
_TOLD = ("asked", "done", "total", "counts", "result")
"""Fields that are in the column `task`."""
_OTHER = "reason, state, cancelled, queued_at, updated_at, checkpoint, task, kind"
_COLUMNS = ", ".join(("tenant", *_IDS, *_FIELDS, _OTHER))

_TASK = f"kind = '{TASK}'"
_CLAIM = CLAIM.format(which=TASKS, columns=_COLUMNS)
_COUNT = f"""
    SELECT count(*) FROM jobs WHERE {TASKS} AND state IN ('ready', 'leased') AND tenant = :tenant
"""  # noqa: S608 - a constant
_PUT = f"""
    INSERT INTO jobs (id, tenant, user_id, agent_id, run_id, kind, reason, partition, state, lease,
                      lease_until, task, expected, queued_at, updated_at, conversation_id,
                      upto_seq, queued_order)
    VALUES (:id, :tenant, :user_id, :agent_id, :run_id, :kind, :reason, :partition, :state, :lease,
            :until, :task, :expected, :queued_at, :updated_at, '', 0, {LAST_IN_LINE}) RETURNING id
"""  # noqa: S608 - a constant
_RECEIVED = f"""
    UPDATE jobs SET kind = '{TASK}', state = 'ready', lease = NULL, lease_until = 0, expected = 0,
                    partition = :partition, queued_order = {LAST_IN_LINE}
    {HELD} RETURNING id
"""  # noqa: S608 - constants
_STEP = f"""
    UPDATE jobs SET file = :file, size = :size, task = :task, updated_at = :updated_at,
        checkpoint = :checkpoint, attempts =
        CASE WHEN coalesce(checkpoint, '{{}}') = :checkpoint THEN attempts ELSE 0 END
    {HELD} AND cancelled = 0 RETURNING id
"""  # noqa: S608 - a constant
_END = """
    state = :state, lease = NULL, cancelled = :cancelled, error = :error, updated_at = :updated_at,
    task = :task
"""
_CANCEL = f"""
    UPDATE jobs SET cancelled = 1, updated_at = :now,
                    state = CASE state WHEN 'ready' THEN 'dead' ELSE state END
    WHERE id = :id AND {_TASK} AND state IN ('ready', 'leased')
"""  # noqa: S608 - a constant
_RESUME = f"""
    UPDATE jobs SET state = 'ready', cancelled = 0, attempts = 0, lease_until = 0, not_before = 0,
                    updated_at = :now, queued_order = {LAST_IN_LINE}
    WHERE id = :id AND {_TASK} AND state = 'dead' AND NOT (reason = 'import' AND file = '')
    RETURNING id
"""  # noqa: S608 - constants
_DROP = "file = '', size = 0, expected = 0, checkpoint = NULL"
_FORGET = f"""
    UPDATE jobs SET state = 'dead', cancelled = 0, attempts = 0, lease = NULL,
                    error = '{FORGOTTEN}', {_DROP}
    WHERE {_TASK} AND reason IN ('export', 'import') AND (file <> '' OR state = 'leased')
      AND tenant = :tenant
"""  # noqa: S608 - constants
_SPARE = f"UPDATE jobs SET {_DROP} WHERE {_TASK} AND size > 0 AND state = 'dead'"  # noqa: S608 - constants
_USELESS = f"""
    UPDATE jobs SET {_DROP} WHERE {_TASK} AND tenant = :tenant AND size > 0 AND reason = 'import'
        AND (state = 'done' OR state = 'dead' AND cancelled = 1)
"""  # noqa: S608 - constants
_REMOVE = f"DELETE FROM jobs WHERE {TASKS} AND id = :id"  # noqa: S608 - a constant
_OLD = f"DELETE FROM jobs WHERE {_TASK} AND state IN ('done', 'dead') AND updated_at < :before"  # noqa: S608 - a constant
_ROOM = "coalesce(sum(CASE WHEN size > expected THEN size ELSE expected END), 0)"
_OTHERS = "FROM jobs WHERE size + expected > 0 AND id <> :id"
_USED = f"""
    SELECT (SELECT {_ROOM} {_OTHERS} AND tenant = :tenant AND user_id = :user_id),
           (SELECT {_ROOM} {_OTHERS} AND tenant = :tenant),
           (SELECT coalesce(sum(size), 0) {_OTHERS})
"""
_CUT = "DELETE FROM task_pieces WHERE file = :file AND start >= :start"
_PIECE = "INSERT INTO task_pieces (file, start, body) VALUES (:file, :start, :body)"
_READ = """
    SELECT start, body FROM task_pieces WHERE file = :file AND start <= :start
    ORDER BY start DESC LIMIT 1
"""
_SOME = """
    DELETE FROM task_pieces WHERE file = :file AND start IN (
        SELECT start FROM task_pieces WHERE file = :file ORDER BY start LIMIT :most
    ) RETURNING start
"""
_ORPHANS = """
    SELECT DISTINCT file FROM task_pieces
    WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE file <> '' AND file = task_pieces.file)
"""


class SqlTasks:
    """The tasks of all processes, in one SQL database. All methods raise StateError.

    Their leases are extended and given back as those of all jobs.
    """

    def __init__(self, scripts: ScriptRunner, jobs: SqlJobs) -> None:
        self._scripts = scripts
        self._jobs = jobs

    async def put(
        self, task: Task, *, most: int, fits: FitsRoom | None = None, upload_seconds: float = 0
    ) -> bool:
        """Enqueue a new one, unless `most` of its tenant have not ended. Raises what `fits` raises.

        With `upload_seconds` its file is received first, under a lease of so many seconds; nobody
        sees the task before it is `received`.
        """
        values = _row(task) | {"kind": TASK, "state": "ready", "until": 0}
        if upload_seconds:
            task.lease = self._jobs.new_lease()
            until = await self._jobs.ms(task.created_at + timedelta(seconds=upload_seconds))
            values |= {"kind": UPLOAD, "state": "leased", "lease": task.lease}
            values |= {"until": until, "partition": digest(task.id)}

        def script() -> Script[bool]:
            [(unended,)] = yield SqlStatement(_COUNT, {"tenant": task.tenant})
            if unended >= most:
                return False
            yield from _fitting(task, 0, fits)
            return bool((yield SqlStatement(_PUT, values, in_line=True)))

        return await self._scripts.change(script, tenants={task.tenant})

    async def received(self, task: Task) -> bool:
        """Its file is whole: it waits for its turn. False if the lease was lost."""
        return await self._to_the_end(task, _RECEIVED, _row(task))

    async def find(self, owner_ref: OwnerRef, task_id: str) -> Task | None:
        """The owner's task with this id."""
        where, values = whose(owner_ref)
        found = await self._all(f"{where} AND id = :id", {**values, "id": task_id})
        return found[0] if found else None

    async def of(self, owner_ref: OwnerRef) -> list[Task]:
        """The owner's tasks, newest first; none whose file is being received."""
        where, values = whose(owner_ref)
        return await self._all(f"{where} ORDER BY queued_at DESC, id DESC", values)

    async def spared(self) -> list[Task]:
        """Those with a file that is kept only so that they can be resumed, oldest first."""
        return await self._all("size > 0 AND state = 'dead' ORDER BY updated_at, id", {})

    async def claim(self, *, now: datetime, lease_seconds: float) -> Task | None:
        """Lease the oldest that may run to the caller, and count its attempt."""
        lease = self._jobs.new_lease()
        while row := await self._jobs.take(_CLAIM, lease, now=now, lease_seconds=lease_seconds):
            if row[-1] == TASK:
                return replace(_task(row), lease=lease)
            await self.remove(_task(row))  # who received its file died
        return None

    async def step(self, task: Task, data: bytes, fits: FitsRoom) -> bool:
        """Keep how far it is, with more of its file; False if it was cancelled or lost its lease.

        What stood behind the end of the file is cut off. Raises what `fits` raises: nothing is
        kept then.
        """
        pieces = await asyncio.to_thread(_packed, data, task.size) if data else []
        file = task.file or (uuid.uuid4().hex if data else "")
        grown = replace(task, file=file, size=task.size + len(data))
        about = {"file": file, "tenant": "", "user_id": _key_of(file)}

        def script() -> Script[bool]:
            if not (yield SqlStatement(_STEP, _row(grown))):
                return False
            if data:
                yield SqlStatement(_CUT, {"file": file, "start": task.size})
                yield SqlStatement(_PIECE, many=[{**one, **about} for one in pieces])
                yield from _fitting(grown, task.size, fits)
            return True

        if kept := await self._scripts.change(script, tenants={task.tenant}):
            task.file, task.size = file, grown.size
        return kept

    async def end(self, task: Task, state: TaskState, *, spare: bool) -> None:
        """End it as far as it is, if the lease is still held; `spare` keeps its file."""
        ended = "done" if state is TaskState.DONE else "dead"
        values = _row(task) | {"state": ended, "cancelled": int(state is TaskState.CANCELLED)}
        at = "checkpoint = :checkpoint" if spare else _DROP
        await self._jobs.change(task, f"{_END}, {at}", **values)
        await self._dropping(task.tenant, _USELESS, tenant=task.tenant)

    async def cancel(self, task: Task, *, now: datetime) -> None:
        """Let it end at its next step, or before its first."""
        values = {"id": task.id, "now": to_ms(now)}
        await self._scripts.statement(_CANCEL, values, once=task.tenant)
        await self._dropping(task.tenant, _USELESS, tenant=task.tenant)

    async def resume(self, task: Task, *, now: datetime) -> bool:
        """Let it wait again; False: it is done, has not ended, or its file is gone."""
        return await self._to_the_end(task, _RESUME, {"id": task.id, "now": to_ms(now)})

    async def remove(self, task: Task) -> None:
        """Remove it with its file."""
        await self._dropping(task.tenant, _REMOVE, id=task.id)

    async def forget(self, owner_ref: OwnerRef) -> None:
        """End those whose files may have memories of this owner, and drop the files.

        One that runs has lost its lease. When it returns, nothing of the files is left.
        """
        values = named(owner_ref)
        ids = [f" AND ({name} IS NULL OR {name} = :{name})" for name in _IDS if name in values]
        await self._dropping(values["tenant"], "".join([_FORGET, *ids]), **values)

    async def drop_file(self, task: Task) -> None:
        """Drop the file of one that ended without being done."""
        await self._dropping(task.tenant, f"{_SPARE} AND id = :id", id=task.id)

    async def expire(self, *, before: datetime, spared: datetime) -> None:
        """Remove those that ended `before`, and the files that are `spared` since before then."""
        await self._dropping(None, _OLD, before=to_ms(before))
        await self._dropping(None, f"{_SPARE} AND updated_at < :before", before=to_ms(spared))

    async def read(self, task: Task, at: int) -> bytes:
        """A piece of its file from there on; empty at the end, and if the file is gone."""
        if at >= task.size:
            return b""
        rows = await self._scripts.statement(_READ, {"file": task.file, "start": at})
        if not rows:
            return b""
        start, body = rows[0]
        data = await asyncio.to_thread(zlib.decompress, body)
        return data[at - start :]

    async def sweep(self) -> None:
        """Remove what is left of dropped files. When it returns, nothing is."""
        for (file,) in await self._scripts.statement(_ORPHANS, {}):
            some = partial(listed, _SOME, {"file": file, "most": _AT_A_TIME}, tuple)
            # Whoever else removes it is waited for: it is gone when either returns.
            while await self._scripts.change(some, tenants={file}):
                pass
            await self._scripts.change(some, tenants=(), erases=True)
            if (keys := self._scripts.keys) is not None:
                await keys.drop(_key_of(file))

    async def _all(self, where: str, values: Mapping[str, object]) -> list[Task]:
        sql = f"SELECT {_COLUMNS} FROM jobs WHERE {_TASK} AND {where}"  # noqa: S608 - constants
        return await self._scripts.rows(sql, values, _task)

    async def _to_the_end(self, task: Task, sql: str, values: Mapping[str, object]) -> bool:
        """Give it the last place of the queue, as a new job."""

        def script() -> Script[bool]:
            return bool((yield SqlStatement(sql, values, in_line=True)))

        return await self._scripts.change(script, tenants={task.tenant})

    async def _dropping(self, once: str | None, sql: str, /, **values: object) -> None:
        await self._scripts.statement(sql, values, once=once)
        await self.sweep()


def _fitting(task: Task, before: int, fits: FitsRoom | None) -> Script[None]:
    if fits is not None:
        values = {"tenant": task.tenant, "user_id": task.ids.get("user_id"), "id": task.id}
        [(user, tenant, everybody)] = yield SqlStatement(_USED, values)
        fits(task, UsedRoom(int(user), int(tenant), int(everybody), before))


def _packed(data: bytes, at: int) -> list[dict[str, object]]:
    starts = range(0, len(data), TASK_PIECE)
    packed = (zlib.compress(data[start : start + TASK_PIECE], _LEVEL) for start in starts)
    return [{"start": at + start, "body": body} for start, body in zip(starts, packed, strict=True)]


def _key_of(file: str) -> str:
    """Whose key seals a file, where users have keys: its own, as many users may be in it."""
    return f"file {file}"


def _row(task: Task) -> dict[str, object]:
    return {
        **dict.fromkeys(_IDS),
        **named(task.scope),
        **{name: getattr(task, name) for name in _FIELDS},
        "lease": task.lease,
        "reason": task.kind.value,
        "partition": digest(f"{TASK}|{task.tenant}"),  # of each tenant one runs at a time
        "queued_at": to_ms(task.created_at),
        "updated_at": to_ms(task.updated_at),
        "checkpoint": json.dumps(task.checkpoint),
        "task": json.dumps({name: getattr(task, name) for name in _TOLD}),
    }


def _task(row: Sequence[Any]) -> Task:
    ids, fields = zip(_IDS, row[1:4], strict=True), zip(_FIELDS, row[4:10], strict=True)
    kind, state, cancelled, queued_at, updated_at, checkpoint, told, _ = row[10:]
    task = Task(
        scope=Owner(row[0]).owner_ref(**dict(ids)),
        kind=TaskKind(kind),
        created_at=from_ms(queued_at),
        updated_at=from_ms(updated_at),
        checkpoint=json.loads(checkpoint or "{}"),
        **dict(fields),
        **json.loads(told),
    )
    task.state = TaskState.of(state, cancelled=cancelled, attempts=task.attempts)
    return task
