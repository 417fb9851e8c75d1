"""Counts the memories of each scope in the database."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import timedelta
from typing import Any

from ..model.across_scopes import Counted, ScopeCount
from ..model.times import from_ms
from ..model.types import MemoryStatus, MemoryType, OwnerRef
from .provenance import json_object
from .reading import PAGE_ROWS
from .row_conditions import RowConditions, owned
from .rows import scope_of
from .script_runner import MemoryScripts
from .where import pattern

_DAY_MS = int(timedelta(days=1).total_seconds() * 1000)
_GROUPS = "tenant, user_id, agent_id, run_id, type, status"
# Days before 1970 too: division cuts off towards 0.
_DAY = f"created_at - ((created_at % {_DAY_MS}) + {_DAY_MS}) % {_DAY_MS}"
_WAITING = pattern('"pending":[')
"""In the provenance of a memory that waits for a judgement."""
_LEFT_OUT = pattern('"kind":"left_out"')
"""In that of one that waited for a person too long."""


async def tally(
    scripts: MemoryScripts, owner_ref: OwnerRef | None, turns: AbstractSet[str], *, waiting: bool
) -> Counted:
    """As `SqlMemories.tally`. Raises StoreError."""
    counted, asked = Counted(), owned(owner_ref)
    sql = f"""
        SELECT {_GROUPS}, {_DAY} AS day, count(*), min(created_at), max(updated_at)
        FROM memories WHERE {asked.condition} GROUP BY {_GROUPS}, day
    """  # noqa: S608 - values are apart
    for row in await scripts.rows(sql, asked.values):
        _count(counted, row)
    if waiting:
        await _count_left_out(scripts, asked, counted)
    if turns or waiting:
        active = asked.copied()
        active.add(f"status = {active.value(MemoryStatus.ACTIVE.value)}")
        if not turns:  # few wait
            active.add(f"provenance LIKE {active.value(_WAITING)}")
        # The order of an index: of an owner's rows, or of all.
        key = "position" if owner_ref is None else "id"
        await _read(scripts, active, key, counted, turns, waiting=waiting)
    return counted


async def _count_left_out(scripts: MemoryScripts, asked: RowConditions, counted: Counted) -> None:
    late = asked.copied()
    late.add(f"status = {late.value(MemoryStatus.QUARANTINED.value)}")
    late.add(f"provenance LIKE {late.value(_LEFT_OUT)}")
    sql = f"SELECT tenant, count(*) FROM memories WHERE {late.condition} GROUP BY tenant"  # noqa: S608 - values are apart
    for tenant, number in await scripts.rows(sql, late.values):
        counted.left_out[tenant] += number


def _count(counted: Counted, row: Sequence[Any]) -> None:
    """Count the memories of one scope and kind that were made on one day."""
    *ids, kind, status, day, number, first, latest = row
    scope = scope_of(*ids)
    its_status = MemoryStatus(status)
    active = number if its_status is MemoryStatus.ACTIVE else 0
    found = ScopeCount(from_ms(first), from_ms(latest), number, active)
    known = counted.scopes.get(scope)
    counted.scopes[scope] = found if known is None else known.with_those_of(found)
    counted.kinds[MemoryType(kind), its_status] += number
    if its_status is not MemoryStatus.SUPERSEDED:
        counted.days[from_ms(day).date()] += number


async def _read(
    scripts: MemoryScripts,
    active: RowConditions,
    key: str,
    counted: Counted,
    turns: AbstractSet[str],
    *,
    waiting: bool,
) -> None:
    """What only the provenance of active memories tells."""
    after: object = None
    while True:
        page = active.copied()
        if after is not None:
            page.add(f"{key} > {page.value(after)}")
        sql = f"""
            SELECT {key}, tenant, id, provenance FROM memories WHERE {page.condition}
            ORDER BY {key} LIMIT {PAGE_ROWS}
        """  # noqa: S608 - values are apart
        rows = await scripts.rows(sql, page.values)
        for row, origin in zip(
            rows, await scripts.decoded(rows, lambda row: json_object(row[3])), strict=True
        ):
            # As `Provenance.replaces`.
            told = () if origin.get("stretch") else origin.get("turn_ids", ())
            counted.told.update(turns & set(told))
            if waiting and (pending := origin.get("pending")):
                counted.waiting[row[1], row[2]] = tuple(pending)
        if len(rows) < PAGE_ROWS:
            return
        after = rows[-1][0]
