"""What was forgotten, and what waits for a user's answer to be, in SQLite."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ...model.times import to_ms
from ...model.types import OwnerRef, Scope
from ..rows import named
from .database import Database
from .rows import id_list


class SqliteTombstones:
    """`Tombstones` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, tenant: str, memory_ids: Sequence[str]) -> None:
        await self._database.statement(
            "INSERT OR IGNORE INTO tombstones SELECT :tenant, value FROM json_each(:ids)",
            {"tenant": tenant, "ids": id_list(memory_ids)},
        )

    async def among(self, tenant: str, memory_ids: Sequence[str]) -> set[str]:
        rows = await self._database.statement(
            "SELECT memory_id FROM tombstones "
            "WHERE tenant = :tenant AND memory_id IN (SELECT value FROM json_each(:ids))",
            {"tenant": tenant, "ids": id_list(memory_ids)},
        )
        return {memory_id for (memory_id,) in rows}

    async def remove(self, tenant: str, memory_ids: Sequence[str]) -> None:
        await self._database.statement(
            "DELETE FROM tombstones "
            "WHERE tenant = :tenant AND memory_id IN (SELECT value FROM json_each(:ids))",
            {"tenant": tenant, "ids": id_list(memory_ids)},
        )

    async def close_scope(self, owner_ref: OwnerRef) -> None:
        await self._database.statement(
            "INSERT INTO closed_scopes VALUES (:tenant, :user_id, :agent_id, :run_id, 1) "
            "ON CONFLICT DO UPDATE SET closed = closed + 1",
            _columns(owner_ref),
        )

    async def epoch(self, scope: Scope) -> tuple[int, ...]:
        # Counts only grow, so their sum changes whenever one of them does.
        [(total,)] = await self._database.statement(
            "SELECT coalesce(sum(closed), 0) FROM closed_scopes WHERE tenant = :tenant "
            "AND user_id IN ('', :user_id) AND agent_id IN ('', :agent_id) "
            "AND run_id IN ('', :run_id)",
            _columns(scope),
        )
        return (total,)


def _columns(owner_ref: OwnerRef) -> dict[str, str]:
    return {"user_id": "", "agent_id": "", "run_id": "", **named(owner_ref)}


_PUT = "INSERT OR REPLACE INTO offers VALUES (:tenant, :name, :text, :until)"
_LATE = "DELETE FROM offers WHERE until <= :now"
_TAKE = "DELETE FROM offers WHERE tenant = :tenant AND name = :name RETURNING text, until"


class SqliteOffers:
    """`Offers` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(
        self, tenant: str, name: str, text: str, *, now: datetime, until: datetime
    ) -> None:
        await self._database.change(_LATE, {"now": to_ms(now)})
        values = {"tenant": tenant, "name": name, "text": text, "until": to_ms(until)}
        await self._database.change(_PUT, values)

    async def take(self, tenant: str, name: str, *, now: datetime) -> str | None:
        rows = await self._database.statement(_TAKE, {"tenant": tenant, "name": name})
        return str(rows[0][0]) if rows and int(rows[0][1]) > to_ms(now) else None
