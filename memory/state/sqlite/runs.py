"""Runs of upkeep in SQLite."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from ...model.jobs import JobKind
from ...model.times import to_ms
from ...model.types import OwnerRef
from ...model.upkeep import UpkeepRun
from ..runs import read_run, written_run
from .database import Database
from .rows import where_whose

_KEEP = """
    INSERT INTO upkeep_runs (tenant, user_id, agent_id, run_id, id, kind, at, body)
    VALUES (:tenant, :user_id, :agent_id, :run_id, :id, :kind, :at, :body)
    ON CONFLICT DO UPDATE SET body = excluded.body, at = excluded.at
"""


class SqliteRuns:
    """`UpkeepRuns` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, run: UpkeepRun) -> None:
        values = {
            **asdict(run.scope),
            "id": run.id,
            "kind": run.kind.value,
            "at": to_ms(run.at),
            "body": written_run(run),
        }
        await self._database.change(_KEEP, values)

    async def get(self, tenant: str, run_id: str) -> UpkeepRun | None:
        sql = "SELECT body FROM upkeep_runs WHERE tenant = :tenant AND id = :id"
        rows = await self._database.statement(sql, {"tenant": tenant, "id": run_id})
        return read_run(str(rows[0][0])) if rows else None

    async def newest(
        self, owner_ref: OwnerRef, *, kind: JobKind | None = None, limit: int, offset: int = 0
    ) -> list[UpkeepRun]:
        where, values = where_whose(owner_ref)
        if kind is not None:
            where, values = f"{where} AND kind = ?", [*values, kind.value]
        sql = f"SELECT body FROM upkeep_runs WHERE {where} ORDER BY at DESC, id LIMIT ? OFFSET ?"  # noqa: S608 - see where_whose
        values += [limit, offset]
        return await self._database.read(sql, values, lambda row: read_run(str(row[0])))

    async def erase(self, owner_ref: OwnerRef) -> int:
        where, values = where_whose(owner_ref)
        sql = f"DELETE FROM upkeep_runs WHERE {where}"  # noqa: S608 - see where_whose
        return await self._database.change(sql, values, erases=True)

    async def prune(self, *, before: datetime) -> int:
        return await self._database.change("DELETE FROM upkeep_runs WHERE at < ?", (to_ms(before),))
