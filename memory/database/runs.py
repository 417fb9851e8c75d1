"""Runs of upkeep."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ..model.jobs import JobKind
from ..model.owner import owning_tenant
from ..model.times import to_ms
from ..model.types import OwnerRef
from ..model.upkeep import UpkeepRun
from .columns import Columns
from .rows import whose
from .sql_part import SqlPart

_RUN = Columns(UpkeepRun)
_KEEP = f"""
    INSERT INTO upkeep_runs ({_RUN.names}) VALUES ({_RUN.values_named})
    ON CONFLICT (tenant, id) DO UPDATE SET {_RUN.replaced}
"""  # noqa: S608 - constants
_SELECT = f"SELECT {_RUN.names} FROM upkeep_runs WHERE "  # noqa: S608 - a constant
_PRUNE = "DELETE FROM upkeep_runs WHERE at < :before RETURNING id"


class SqlRuns(SqlPart):
    """The runs of upkeep, by tenant."""

    async def keep(self, run: UpkeepRun) -> None:
        """Keep a run durably, in place of what was kept under its id."""
        await self.scripts.statement(_KEEP, _RUN.values(run))

    async def get(self, tenant: str, run_id: str) -> UpkeepRun | None:
        """A run of a tenant; None if there is none of this id."""
        rows = await self.scripts.statement(
            f"{_SELECT} tenant = :tenant AND id = :id", {"tenant": tenant, "id": run_id}
        )
        return _RUN.read(rows[0]) if rows else None

    async def newest(
        self, owner_ref: OwnerRef, *, kind: JobKind | None = None, limit: int, offset: int = 0
    ) -> list[UpkeepRun]:
        """The runs of a tenant, or of all that a scope admits, newest first."""
        where, ids = whose(owner_ref)
        values: dict[str, Any] = {**ids, "limit": limit, "offset": offset}
        if kind is not None:
            where, values = f"{where} AND kind = :kind", {**values, "kind": kind.value}
        sql = f"{_SELECT} {where} ORDER BY at DESC, id LIMIT :limit OFFSET :offset"
        return await self.scripts.rows(sql, values, _RUN.read)

    async def erase(self, owner_ref: OwnerRef) -> int:
        """Remove the runs of a tenant, or of all that a scope admits; returns how many."""
        where, values = whose(owner_ref)
        sql = f"DELETE FROM upkeep_runs WHERE {where} RETURNING id"  # noqa: S608 - see `whose`
        return await self._erased(sql, values, tenants={owning_tenant(owner_ref)})

    async def prune(self, *, before: datetime) -> int:
        """Remove the runs before then; returns how many."""
        return len(await self.scripts.statement(_PRUNE, {"before": to_ms(before)}))
