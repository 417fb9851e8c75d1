"""How many memories each scope has, counted by PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import timedelta
from typing import Any

from ...model.times import from_ms
from ...model.types import MemoryStatus, MemoryType, Scope
from ...model.wide import Counted, ScopeCount
from ..shared.rows import COUNTED, count_row
from .database import Tables
from .reading import decoded, pages
from .rows import plain
from .sql import RowCondition

_DAY = timedelta(days=1)
_DAY_MS = int(_DAY.total_seconds() * 1000)
_GROUPS = "tenant, user_id, agent_id, run_id, type, status"
_COUNTS = (
    f"{_GROUPS}, div(created_at, {_DAY_MS}) * {_DAY_MS} AS day, count(*) AS rows, "
    "min(created_at) AS first, max(updated_at) AS latest"
)
_PAGE = 5_000


async def tally(
    tables: Tables, asked: RowCondition, turns: AbstractSet[str], *, waiting: bool
) -> Counted:
    """As `WideReads.tally`, of the rows of a condition. Raises StoreError."""
    counted = Counted()
    for row in await tables.select(_COUNTS, asked, f"GROUP BY {_GROUPS}, day"):
        _count(counted, row)
    if turns or waiting:
        await _read(tables, asked.copied(), counted, turns, waiting=waiting)
    return counted


def _count(counted: Counted, row: Mapping[str, Any]) -> None:
    """Count the memories of one scope and kind that were made on one day."""
    ids = {name: row[name] or None for name in ("user_id", "agent_id", "run_id")}
    scope = Scope(tenant=row["tenant"], **ids)
    kind = MemoryType(row["type"]), MemoryStatus(row["status"])
    rows, active = row["rows"], row["rows"] if kind[1] is MemoryStatus.ACTIVE else 0
    found = ScopeCount(from_ms(row["first"]), from_ms(row["latest"]), rows, active)
    known = counted.scopes.get(scope)
    counted.scopes[scope] = found if known is None else known.with_those_of(found)
    counted.kinds[kind] += rows
    if kind[1] is not MemoryStatus.SUPERSEDED:
        counted.days[from_ms(int(row["day"])).date()] += rows


async def _read(
    tables: Tables, asked: RowCondition, counted: Counted, turns: AbstractSet[str], *, waiting: bool
) -> None:
    """What only the provenance of active memories tells."""
    asked.add(f"status = {asked.value(MemoryStatus.ACTIVE.value, 'text')}")
    apart = Counted()
    columns = ", ".join([*COUNTED, "provenance"])
    async for page in pages(tables, asked, columns, size=_PAGE):
        await decoded(page, lambda row: count_row(apart, plain(row), turns, waiting=waiting))
    counted.told.update(apart.told)
    counted.waiting.update(apart.waiting)
