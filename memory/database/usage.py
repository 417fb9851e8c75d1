"""How often memories were used."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ..model.times import to_ms
from ..model.usage import Usage, UseKind
from .columns import Columns
from .scripts import FEW_ROWS, Row, Script, SqlStatement
from .sql_part import SqlPart

_NEW = """
    INSERT INTO occasions (tenant, memory_id, use, occasion, at)
    SELECT :tenant, value, :use, :occasion, :at FROM :ids[]
    WHERE value NOT IN (SELECT memory_id FROM tombstones WHERE tenant = :tenant)
    ON CONFLICT DO NOTHING RETURNING memory_id
"""
_ADD = {
    use: f"""
    INSERT INTO usage (tenant, memory_id, {use.value}) VALUES (:tenant, :memory_id, 1)
    ON CONFLICT (tenant, memory_id) DO UPDATE SET {use.value} = usage.{use.value} + 1
"""  # noqa: S608 - the names of an enumeration
    for use in UseKind
} | {
    UseKind.RECALLED: """
    INSERT INTO usage (tenant, memory_id, recalled, last_recalled)
    VALUES (:tenant, :memory_id, 1, :at)
    ON CONFLICT (tenant, memory_id) DO UPDATE SET
        recalled = usage.recalled + 1,
        last_recalled = CASE WHEN usage.last_recalled > excluded.last_recalled
                             THEN usage.last_recalled ELSE excluded.last_recalled END
"""
}
_UNCOUNT = """
    DELETE FROM occasions WHERE tenant = :tenant AND memory_id = :memory_id AND use = :use
    AND occasion IN :occasions[] RETURNING memory_id
"""
_LESS = {
    use: f"""
    UPDATE usage
    SET {use.value} = CASE WHEN {use.value} > :times THEN {use.value} - :times ELSE 0 END
    WHERE tenant = :tenant AND memory_id = :memory_id
"""  # noqa: S608 - the names of an enumeration
    for use in UseKind
}
_OPEN = """
    SELECT id, tenant, created_at, uncounted FROM turns WHERE uncounted IS NOT NULL LIMIT :limit
"""
# Unless more was noted meanwhile: then all of it is counted again, which changes nothing.
_SETTLED = "UPDATE turns SET uncounted = NULL WHERE id = :id AND uncounted = :uncounted"
_USAGE = Columns(Usage)
_OF = f"SELECT {_USAGE.names}, memory_id FROM usage "  # noqa: S608 - a constant
_NAMED = "WHERE tenant = :tenant AND memory_id IN :ids[]"
_PRUNE = """
    DELETE FROM occasions WHERE at < :before AND NOT EXISTS
    (SELECT 1 FROM turns WHERE turns.id = occasion AND erased = 0)
"""


class SqlUsage(SqlPart):
    """How often each memory was used, by its id. Nothing else keeps it.

    Memories that a tombstone covers are never counted.
    """

    async def count(
        self, tenant: str, use: UseKind, memory_ids: Sequence[str], *, occasion: str, at: datetime
    ) -> None:
        """Count one use of each of these memories durably, once for each occasion.

        An occasion is a turn, a batch of learning or a call: repeating one changes nothing.
        """
        values = {"tenant": tenant, "use": use.value, "occasion": occasion, "at": to_ms(at)}
        counted = {**values, "ids": memory_ids}
        await self.scripts.change(lambda: _count(use, counted), tenants={tenant})

    async def uncount(
        self, tenant: str, use: UseKind, memory_id: str, *, occasions: Sequence[str]
    ) -> int:
        """Take back what was counted of a memory on these occasions; returns how many there were.

        Those that `prune` forgot are not taken back.
        """
        named = {"tenant": tenant, "memory_id": memory_id, "use": use.value}
        values = {**named, "occasions": occasions}
        return await self.scripts.change(lambda: _uncount(use, values), tenants={tenant})

    async def settle(self, *, limit: int = 100) -> int:
        """Count the recalls of recorded turns that are not counted yet, of at most so many.

        `SqlConversations.record` notes them with the turn, each time that it is recorded, so
        whatever dies before this, the next call completes it. The occasion is the turn. Returns how
        many notes were completed; 0 if none are left.
        """
        turns = await self.scripts.statement(_OPEN, {"limit": limit})
        if turns:
            # No one else forgets or counts for them meanwhile.
            await self.scripts.change(lambda: _settle(turns), tenants={turn[1] for turn in turns})
        return len(turns)

    async def of(self, tenant: str, memory_ids: Sequence[str]) -> dict[str, Usage]:
        """The counters of these memories; those that were never used are left out."""
        values = {"tenant": tenant, "ids": memory_ids}
        if len(memory_ids) <= FEW_ROWS:
            return dict(map(_usage, await self.scripts.statement(_OF + _NAMED, values)))
        return dict(await self.scripts.rows(_OF + _NAMED, values, _usage))

    async def erase(self, tenant: str, memory_ids: Sequence[str]) -> int:
        """Remove the counters of these memories; returns of how many there were any."""
        values = {"tenant": tenant, "ids": memory_ids}
        return await self.scripts.change(lambda: _erase(_NAMED, values), tenants={tenant})

    async def reset(self, tenant: str) -> None:
        """Remove all counters of this tenant."""
        where = "WHERE tenant = :tenant"
        await self.scripts.change(lambda: _erase(where, {"tenant": tenant}), tenants={tenant})

    async def prune(self, *, before: datetime) -> None:
        """Forget occasions before then, but those of turns that may be recorded again."""
        await self.scripts.statement(_PRUNE, {"before": to_ms(before)})


def _usage(row: Row) -> tuple[str, Usage]:
    return row[-1], _USAGE.read(row)


def _count(use: UseKind, values: dict[str, Any]) -> Script[None]:
    new = yield SqlStatement(_NEW, values)
    # In one order, so that nobody waits in a circle.
    counted = sorted(str(memory_id) for (memory_id,) in new)
    yield SqlStatement(_ADD[use], many=[{**values, "memory_id": each} for each in counted])


def _uncount(use: UseKind, values: dict[str, Any]) -> Script[int]:
    gone = yield SqlStatement(_UNCOUNT, values)
    if gone:
        yield SqlStatement(_LESS[use], {**values, "times": len(gone)})
    return len(gone)


def _settle(turns: Sequence[Row]) -> Script[None]:
    for turn_id, tenant, at, noted in turns:
        lists = [json.loads(line) for line in noted.split("\n")]
        ids = [memory_id for each in lists for memory_id in each]
        use = UseKind.RECALLED
        values = {"tenant": tenant, "use": use.value, "occasion": turn_id, "at": at, "ids": ids}
        yield from _count(use, values)
    settled = [{"id": turn_id, "uncounted": noted} for turn_id, _, _, noted in turns]
    yield SqlStatement(_SETTLED, many=settled)


def _erase(where: str, values: dict[str, Any]) -> Script[int]:
    yield SqlStatement(f"DELETE FROM occasions {where}", values)  # noqa: S608 - a constant
    gone = yield SqlStatement(f"DELETE FROM usage {where} RETURNING memory_id", values)  # noqa: S608 - a constant
    return len(gone)
