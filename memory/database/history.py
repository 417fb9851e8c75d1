"""The audit trail: what became of each memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..model.ports import MAX_NONE
from ..model.types import EventKind, HistoryRecord, Scope
from .columns import Columns
from .rows import whose
from .scripts import Script, SqlStatement
from .sql_part import SqlPart

RECORD = Columns(HistoryRecord)
_OF_MEMORY = "tenant = :tenant AND memory_id = :memory_id"
_OF_MEMORIES = "tenant = :tenant AND memory_id IN :memory_ids[]"
_NONES = f"FROM memory_history WHERE {_OF_MEMORY} AND event = 'NONE'"
_SELECT = f"SELECT {RECORD.names} FROM memory_history"  # noqa: S608 - a constant
_APPEND = f"""
    INSERT INTO memory_history ({RECORD.names}) VALUES ({RECORD.values_named})
    ON CONFLICT (tenant, id) DO NOTHING
"""  # noqa: S608 - a constant
_TRIM = f"""
    DELETE {_NONES} AND position <=
        (SELECT position {_NONES} ORDER BY position DESC LIMIT 1 OFFSET {MAX_NONE})
"""


class SqlHistory(SqlPart):
    """The audit trail of memories.

    Its writers wait for no tenant: records are only added, and each has an id of its own.
    """

    async def append(self, records: Sequence[HistoryRecord]) -> None:
        """Add durably; a record with a known id is not added again.

        Of each memory's NONE records only the newest `MAX_NONE` are kept, since any number of
        messages may repeat a known fact.
        """
        if records:
            await self.scripts.change(lambda: _append(records), tenants=())

    async def put_back(self, records: Sequence[HistoryRecord]) -> None:
        """Add records that were erased only to be changed: nothing happened by it."""
        await self.append(records)

    async def carry(
        self,
        records: Sequence[HistoryRecord],
        *,
        new: Collection[str],
        changed: Collection[str],
    ) -> None:
        """Add what another place recorded of memories; `changed` were here already."""
        del new, changed
        await self.append(records)

    async def of(self, tenant: str, memory_id: str) -> list[HistoryRecord]:
        """A memory's records, oldest first."""
        return await self._records(_OF_MEMORY, {"tenant": tenant, "memory_id": memory_id})

    async def of_many(
        self, tenant: str, memory_ids: Sequence[str]
    ) -> dict[str, list[HistoryRecord]]:
        """The records of these memories by id, oldest first; memories without any are left out."""
        values = {"tenant": tenant, "memory_ids": memory_ids}
        found: dict[str, list[HistoryRecord]] = {}
        for record in await self._records(_OF_MEMORIES, values):
            found.setdefault(record.memory_id, []).append(record)
        return found

    async def erase(self, tenant: str, memory_ids: Sequence[str]) -> int:
        """Remove every record of these memories; returns how many."""
        return await self._remove(_OF_MEMORIES, {"tenant": tenant, "memory_ids": memory_ids})

    async def erase_scope(self, scope: Scope) -> int:
        """Remove every record the scope admits; returns how many."""
        return await self._remove(*whose(scope))

    async def reset(self, tenant: str) -> None:
        """Remove every record of this tenant."""
        await self._remove(*whose(tenant))

    async def _records(self, where: str, values: Mapping[str, object]) -> list[HistoryRecord]:
        # By position, not by time: clocks can go back, positions cannot.
        sql = f"{_SELECT} WHERE {where} ORDER BY memory_id, position"
        return await self.scripts.rows(sql, values, RECORD.read)

    async def _remove(self, where: str, values: Mapping[str, object]) -> int:
        sql = f"DELETE FROM memory_history WHERE {where} RETURNING position"  # noqa: S608 - see whose
        return await self._erased(sql, values)


def _append(records: Sequence[HistoryRecord]) -> Script[None]:
    yield SqlStatement(_APPEND, many=list(map(RECORD.values, records)))
    # In one order: replicas that trim the same memories do not wait for each other in a circle.
    repeated = sorted(
        {
            (record.scope.tenant, record.memory_id)
            for record in records
            if record.event is EventKind.NONE
        }
    )
    if repeated:
        rows = [{"tenant": tenant, "memory_id": memory_id} for tenant, memory_id in repeated]
        yield SqlStatement(_TRIM, many=rows)
