"""What waits for an answer, in SQLite."""

from __future__ import annotations

from datetime import datetime

from ...model.times import to_ms
from .database import Database

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
