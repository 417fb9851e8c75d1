"""The log of changes, and the memories as an index is filled with them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ..database.changes import IS_OF_ROWS, ROW_KINDS
from ..database.rows import WRITE_NOTE
from ..database.scripts import Script, ScriptRunner, SqlStatement, one
from ..index.digests import digest, marks_of
from ..index.port import IndexRow, LoggedChange
from ..model.times import to_ms
from .provenance import json_object
from .rows import vector_of

LOG_BEGINS = "log begins"
"""The note with the number of the last line about rows that was removed."""
NOTED = "SELECT CAST(value AS BIGINT) FROM notes WHERE name = :name"
_LAST = f"SELECT seq FROM changes WHERE {IS_OF_ROWS} ORDER BY seq DESC LIMIT 1"  # noqa: S608 - constants
_PRUNE = "DELETE FROM changes WHERE seq <= :upto"
_OLD = "SELECT COALESCE(MAX(seq), 0) FROM changes WHERE at < :before"
_ROWS = """
    SELECT memories.position, tenant, user_id, agent_id, run_id, type, status, created_at,
        metadata, vector
    FROM {source} JOIN memory_vectors
        ON memory_vectors.position = memories.position AND memory_vectors.embedder_id = :embedder_id
"""
_CHOSEN = """(SELECT CAST(value AS BIGINT) AS place FROM :positions[]) AS chosen
    JOIN memories ON memories.position = chosen.place"""


class MemoryLog:
    """`ChangeLog` of the memories with vectors of one embedder."""

    def __init__(self, scripts: ScriptRunner, *, embedder_id: str) -> None:
        self._scripts = scripts
        self._embedder_id = embedder_id

    async def changed_since(self, seq: int, *, limit: int) -> list[LoggedChange] | None:
        return await self._scripts.read(lambda: _changed_since(seq, limit))

    async def last_seq(self) -> int:
        return await self._scripts.read(_last_seq)

    async def rows(self, positions: Sequence[int]) -> list[IndexRow]:
        values = {"positions": [str(each) for each in positions]}
        return await self._rows(_ROWS.format(source=_CHOSEN), values)

    async def page(self, after: int, *, limit: int) -> list[IndexRow]:
        sql = f"""
            {_ROWS.format(source="memories")}
            WHERE memories.position > :after ORDER BY memories.position LIMIT {limit}
        """
        return await self._rows(sql, {"after": after})

    async def count(self, up_to: int | None = None) -> int:
        sql, values = "SELECT count(*) FROM memory_vectors WHERE embedder_id = :embedder_id", {}
        if up_to is not None:
            sql, values = f"{sql} AND position <= :up_to", {"up_to": up_to}
        found = await self._scripts.read(lambda: one(sql, self._with_embedder(values)))
        return int(found[0][0])

    async def _rows(self, sql: str, values: dict[str, Any]) -> list[IndexRow]:
        rows = await self._scripts.read(lambda: one(sql, self._with_embedder(values)))
        return list(map(index_row, rows))

    def _with_embedder(self, values: dict[str, Any]) -> dict[str, object]:
        return {**values, "embedder_id": self._embedder_id}


async def prune_log(scripts: ScriptRunner, *, before: datetime) -> int:
    """Remove the lines from before then; returns how many. An index that missed one is rebuilt."""
    return await scripts.change(lambda: _prune(to_ms(before)), tenants=())


def index_row(row: Sequence[Any]) -> IndexRow:
    """A row as an index keeps it. Pure."""
    position, tenant, user_id, agent_id, run_id, kind, status, created_at, metadata, vector = row
    return IndexRow(
        key=position,
        tenant=digest(tenant),
        user=digest(tenant, user_id or None),
        agent=digest(agent_id or None),
        run=digest(run_id or None),
        kind=digest(kind),
        status=digest(status),
        at=created_at,
        marks=() if metadata == "{}" else marks_of(json_object(metadata)),
        vector=vector_of(vector),
    )


def _begin() -> Script[int]:
    rows = yield SqlStatement(NOTED, {"name": LOG_BEGINS})
    return int(rows[0][0]) if rows else 0


def _last_seq() -> Script[int]:
    begin = yield from _begin()
    rows = yield SqlStatement(_LAST)
    return max(begin, int(rows[0][0]) if rows else 0)


def _changed_since(seq: int, limit: int) -> Script[list[LoggedChange] | None]:
    if seq < (yield from _begin()):
        return None
    rows = yield SqlStatement(
        f"SELECT seq, ids FROM changes WHERE seq > :seq AND {IS_OF_ROWS} ORDER BY seq LIMIT {limit}",  # noqa: S608, E501 - a number
        {"seq": seq},
    )
    return [LoggedChange(number, positions_in(ids)) for number, ids in rows]


def positions_in(ids: str) -> tuple[int, ...]:
    """The positions of a line of the log."""
    return tuple(position for position, _ in json.loads(ids))


def _prune(before: int) -> Script[int]:
    [(upto,)] = yield SqlStatement(_OLD, {"before": before})
    if not upto:
        return 0
    gone = yield SqlStatement(f"{_PRUNE} RETURNING seq, kind", {"upto": upto})
    # Of other lines an index knows nothing.
    if rows := [int(seq) for seq, kind in gone if kind in ROW_KINDS]:
        yield SqlStatement(WRITE_NOTE, {"name": LOG_BEGINS, "value": str(max(rows))})
    return len(gone)
