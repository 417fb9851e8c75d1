"""Runs of upkeep, each as JSON."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from ..model.jobs import JobKind
from ..model.owner import owning_tenant
from ..model.times import from_ms, to_ms
from ..model.types import EventKind, OwnerRef, Scope
from ..model.upkeep import RunChange, UpkeepRun
from .rows import named, scope_columns, whose
from .scripts import Row, ScriptRunner, listed

_KEEP = """
    INSERT INTO upkeep_runs (tenant, user_id, agent_id, run_id, id, kind, at, body)
    VALUES (:tenant, :user_id, :agent_id, :run_id, :id, :kind, :at, :body)
    ON CONFLICT (tenant, id) DO UPDATE SET body = excluded.body, at = excluded.at
"""
_GET = "SELECT body FROM upkeep_runs WHERE tenant = :tenant AND id = :id"
_PRUNE = "DELETE FROM upkeep_runs WHERE at < :before RETURNING id"


class SqlRuns:
    """The runs of upkeep, by tenant. Every method raises StateError."""

    def __init__(self, scripts: ScriptRunner) -> None:
        self._scripts = scripts

    async def keep(self, run: UpkeepRun) -> None:
        """Keep a run durably, in place of what was kept under its id."""
        values = {
            **scope_columns(run.scope),
            "id": run.id,
            "kind": run.kind.value,
            "at": to_ms(run.at),
            "body": written_run(run),
        }
        await self._scripts.statement(_KEEP, values)

    async def get(self, tenant: str, run_id: str) -> UpkeepRun | None:
        """A run of a tenant; None if there is none of this id."""
        rows = await self._scripts.statement(_GET, {"tenant": tenant, "id": run_id})
        return _run(rows[0]) if rows else None

    async def newest(
        self, owner_ref: OwnerRef, *, kind: JobKind | None = None, limit: int, offset: int = 0
    ) -> list[UpkeepRun]:
        """The runs of a tenant, or of all that a scope admits, newest first."""
        where, ids = whose(owner_ref)
        values: dict[str, Any] = {**ids, "limit": limit, "offset": offset}
        if kind is not None:
            where, values = f"{where} AND kind = :kind", {**values, "kind": kind.value}
        sql = f"""
            SELECT body FROM upkeep_runs WHERE {where} ORDER BY at DESC, id
            LIMIT :limit OFFSET :offset
        """  # noqa: S608 - see `whose`
        return await self._scripts.rows(sql, values, _run)

    async def erase(self, owner_ref: OwnerRef) -> int:
        """Remove the runs of a tenant, or of all that a scope admits; returns how many."""
        where, values = whose(owner_ref)
        sql = f"DELETE FROM upkeep_runs WHERE {where} RETURNING id"  # noqa: S608 - see `whose`
        gone = await self._scripts.change(
            lambda: listed(sql, values, tuple), tenants={owning_tenant(owner_ref)}, erases=True
        )
        return len(gone)

    async def prune(self, *, before: datetime) -> int:
        """Remove the runs before then; returns how many."""
        return len(await self._scripts.statement(_PRUNE, {"before": to_ms(before)}))


def _run(row: Row) -> UpkeepRun:
    return read_run(str(row[0]))


def written_run(run: UpkeepRun) -> str:
    """The run as JSON."""
    told = {
        "id": run.id,
        "scope": named(run.scope),
        "kind": run.kind.value,
        "at": to_ms(run.at),
        "reason": run.reason,
        "changes": [[one.memory_id, one.event.value, one.version] for one in run.changes],
        "figures": dict(run.figures),
        "unasked": run.unasked,
        "complete": run.complete,
        "undone_at": None if run.undone_at is None else to_ms(run.undone_at),
    }
    return json.dumps(told, separators=(",", ":"))


def read_run(text: str) -> UpkeepRun:
    """The run that `written_run` wrote."""
    told = json.loads(text)
    undone = told["undone_at"]
    return UpkeepRun(
        id=told["id"],
        scope=Scope(**told["scope"]),
        kind=JobKind(told["kind"]),
        at=from_ms(told["at"]),
        reason=told["reason"],
        changes=tuple(
            RunChange(memory_id, EventKind(event), version)
            for memory_id, event, version in told["changes"]
        ),
        figures=told["figures"],
        unasked=told["unasked"],
        complete=told["complete"],
        undone_at=None if undone is None else from_ms(undone),
    )
