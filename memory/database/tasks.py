"""Tasks, and their files in pieces: whichever process is asked finds all of them."""

from __future__ import annotations

import asyncio
import json
import uuid
import zlib
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from ..model.tasks import TASK_PIECE, FitsRoom, Task, TaskKind, TaskState, UsedRoom
from ..model.times import from_ms, to_ms
from ..model.types import OwnerRef
from .rows import whose
from .scripts import Row, Script, ScriptRunner, SqlStatement, listed

_LEVEL = 1
"""Of zlib. Vectors hardly get smaller at any."""
_AT_A_TIME = 4
"""Pieces that are removed in one transaction: each is overwritten, and others wait meanwhile."""
_COLUMNS = (
    "tenant, user_id, agent_id, run_id, id, kind, state, stopping, holder, lease_until, attempts, "
    "file, size, expected, created_at, updated_at, body"
)
_NAMES = _COLUMNS.split(", ")
_BODY = ("asked", "done", "total", "counts", "checkpoint", "error", "result")
_ADD = f"INSERT INTO tasks ({_COLUMNS}) VALUES ({', '.join(f':{name}' for name in _NAMES)})"  # noqa: S608 - constants
_CHANGE = f"""
    UPDATE tasks SET {", ".join(f"{name} = :{name}" for name in _NAMES[6:])} WHERE id = :id
"""  # noqa: S608 - constants
_SELECT = f"SELECT {_COLUMNS} FROM tasks WHERE "  # noqa: S608 - a constant
_UNENDED = "state IN ('coming', 'waiting', 'running')"
_COUNT = f"SELECT count(*) FROM tasks WHERE tenant = :tenant AND {_UNENDED}"  # noqa: S608 - a constant
_DUE = "(state = 'waiting' OR state = 'running' AND lease_until < :now)"
_ALONE = """NOT EXISTS (
    SELECT 1 FROM tasks AS busy
    WHERE busy.tenant = tasks.tenant AND busy.state = 'running' AND busy.lease_until >= :now
)"""
_NEXT = f"""
    SELECT tenant, id FROM tasks WHERE {_UNENDED} AND {_DUE} AND {_ALONE}
    ORDER BY created_at, id LIMIT 1
"""  # noqa: S608 - constants
_CLAIM = f"""
    UPDATE tasks SET state = 'running', holder = :holder, lease_until = :until,
        attempts = attempts + 1
    WHERE id = :id AND {_DUE} AND {_ALONE} RETURNING {_COLUMNS}
"""  # noqa: S608 - constants
_RENEW = "UPDATE tasks SET lease_until = :until WHERE id IN :ids[] AND holder = :holder"
_OLD = f"""
    {_SELECT} state IN ('done', 'failed', 'cancelled', 'interrupted') AND updated_at < :before
    OR state = 'coming' AND lease_until < :now
"""
_SPARED = f"""
    {_SELECT} size > 0 AND state IN ('failed', 'cancelled', 'interrupted')
    ORDER BY updated_at, id
"""
_ROOM = "coalesce(sum(CASE WHEN size > expected THEN size ELSE expected END), 0)"
_USED = f"""
    SELECT (SELECT {_ROOM} FROM tasks WHERE tenant = :tenant AND id <> :id AND user_id = :user_id),
           (SELECT {_ROOM} FROM tasks WHERE tenant = :tenant AND id <> :id),
           (SELECT coalesce(sum(size), 0) FROM tasks WHERE size > 0 AND id <> :id)
"""  # noqa: S608 - constants
_CUT = "DELETE FROM task_pieces WHERE file = :file AND start >= :start"
_PIECE = "INSERT INTO task_pieces VALUES (:file, :start, :body)"
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
    WHERE NOT EXISTS (SELECT 1 FROM tasks WHERE file <> '' AND file = task_pieces.file)
"""


class SqlTasks:
    """`TaskStore` in one SQL database."""

    def __init__(self, scripts: ScriptRunner) -> None:
        self._scripts = scripts

    async def add(self, task: Task, *, most: int, fits: FitsRoom | None = None) -> bool:
        return await self._scripts.change(lambda: _add(task, most, fits), tenants={task.tenant})

    async def find(self, owner_ref: OwnerRef, task_id: str) -> Task | None:
        where, values = whose(owner_ref)
        sql = f"{_SELECT} {where} AND id = :id AND state <> 'coming'"
        rows = await self._scripts.statement(sql, {**values, "id": task_id})
        return _task(rows[0]) if rows else None

    async def of(self, owner_ref: OwnerRef) -> list[Task]:
        where, values = whose(owner_ref)
        sql = f"{_SELECT} {where} AND state <> 'coming' ORDER BY created_at DESC, id DESC"
        return await self._scripts.rows(sql, values, _task)

    async def claim(self, holder: str, *, now: datetime, until: datetime) -> Task | None:
        values = {"holder": holder, "now": to_ms(now), "until": to_ms(until)}
        while found := await self._scripts.statement(_NEXT, {"now": to_ms(now)}):
            tenant, task_id = found[0]
            asked = {**values, "id": task_id}
            if rows := await self._scripts.statement(_CLAIM, asked, once=tenant):
                return _task(rows[0])
        return None

    async def renew(self, task_ids: Sequence[str], holder: str, *, until: datetime) -> None:
        values = {"ids": task_ids, "holder": holder, "until": to_ms(until)}
        await self._scripts.statement(_RENEW, values)

    async def change(
        self,
        task: Task,
        decide: Callable[[Task], None],
        *,
        data: bytes = b"",
        at: int = 0,
        fits: FitsRoom | None = None,
    ) -> Task | None:
        pieces = await asyncio.to_thread(_packed, data, at) if data else []
        dropped: set[str] = set()

        def script() -> Script[Task | None]:
            dropped.clear()
            rows = yield SqlStatement(f"{_SELECT} id = :id", {"id": task.id})
            if not rows:
                return None
            kept = _task(rows[0])
            before, size = kept.file, kept.size
            decide(kept)
            if before != kept.file:
                dropped.add(before)
            if data:
                kept.file, kept.size = kept.file or uuid.uuid4().hex, at + len(data)
                yield SqlStatement(_CUT, {"file": kept.file, "start": at})
                yield SqlStatement(_PIECE, many=[{**one, "file": kept.file} for one in pieces])
            yield from _fitting(kept, size, fits)
            yield SqlStatement(_CHANGE, _row(kept))
            return kept

        changed = await self._scripts.change(script, tenants={task.tenant})
        for file in dropped:
            await self._drop(file)
        return changed

    async def remove(self, task: Task) -> None:
        sql = "DELETE FROM tasks WHERE id = :id RETURNING file"
        for (file,) in await self._scripts.statement(sql, {"id": task.id}, once=task.tenant):
            await self._drop(file)

    async def read(self, task: Task, at: int) -> bytes:
        if at >= task.size:
            return b""
        rows = await self._scripts.statement(_READ, {"file": task.file, "start": at})
        if not rows:
            return b""
        start, body = rows[0]
        data = await asyncio.to_thread(zlib.decompress, body)
        return data[at - start :]

    async def old(self, *, before: datetime, now: datetime) -> list[Task]:
        values = {"before": to_ms(before), "now": to_ms(now)}
        return await self._scripts.rows(_OLD, values, _task)

    async def spared(self) -> list[Task]:
        return await self._scripts.rows(_SPARED, {}, _task)

    async def sweep(self) -> None:
        for (file,) in await self._scripts.statement(_ORPHANS, {}):
            await self._drop(file)

    async def _drop(self, file: str) -> None:
        def script() -> Script[list[Row]]:
            return listed(_SOME, {"file": file, "most": _AT_A_TIME}, tuple)

        # Whoever else removes it is waited for: it is gone when either returns.
        while await self._scripts.change(script, tenants={file}):
            pass
        await self._scripts.change(script, tenants=(), erases=True)


def _add(task: Task, most: int, fits: FitsRoom | None) -> Script[bool]:
    [(unended,)] = yield SqlStatement(_COUNT, {"tenant": task.tenant})
    if unended >= most:
        return False
    yield from _fitting(task, 0, fits)
    yield SqlStatement(_ADD, _row(task))
    return True


def _fitting(task: Task, before: int, fits: FitsRoom | None) -> Script[None]:
    if fits is None:
        return
    values = {"tenant": task.tenant, "user_id": task.ids.get("user_id", ""), "id": task.id}
    [(user, tenant, everybody)] = yield SqlStatement(_USED, values)
    fits(task, UsedRoom(int(user), int(tenant), int(everybody), before))


def _packed(data: bytes, at: int) -> list[dict[str, object]]:
    return [
        {
            "start": at + start,
            "body": zlib.compress(data[start : start + TASK_PIECE], _LEVEL),
        }
        for start in range(0, len(data), TASK_PIECE)
    ]


def _row(task: Task) -> dict[str, object]:
    ids = {name: task.ids.get(name, "") for name in _NAMES[1:4]}
    body = {name: getattr(task, name) for name in _BODY}
    return ids | {
        "tenant": task.tenant,
        "id": task.id,
        "kind": task.kind.value,
        "state": task.state.value,
        "stopping": task.stopping.value if task.stopping else "",
        "holder": task.holder,
        "lease_until": to_ms(task.lease_until) if task.lease_until else 0,
        "attempts": task.attempts,
        "file": task.file,
        "size": task.size,
        "expected": task.expected,
        "created_at": to_ms(task.created_at),
        "updated_at": to_ms(task.updated_at),
        "body": json.dumps(body),
    }


def _task(row: Sequence[Any]) -> Task:
    values: dict[str, Any] = dict(zip(_NAMES, row, strict=True))
    ids = {name: value for name in _NAMES[1:4] if (value := values.pop(name))}
    values |= json.loads(values.pop("body"))
    values |= {
        "kind": TaskKind(values["kind"]),
        "state": TaskState(values["state"]),
        "stopping": TaskState(values["stopping"]) if values["stopping"] else None,
        "lease_until": from_ms(values["lease_until"]) if values["lease_until"] else None,
        "created_at": from_ms(values["created_at"]),
        "updated_at": from_ms(values["updated_at"]),
    }
    return Task(ids=ids, **values)
