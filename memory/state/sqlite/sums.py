"""Daily sums in SQLite: one row per tenant and day."""

from __future__ import annotations

from datetime import date

from ...model.sums import Amounts, Summed
from .database import Database

_NAMES = tuple(each.value for each in Summed)
_ADD = f"""
    INSERT INTO daily_sums (tenant, day, {", ".join(_NAMES)})
    VALUES (:tenant, :day, {", ".join(f":{name}" for name in _NAMES)})
    ON CONFLICT DO UPDATE SET {", ".join(f"{name} = {name} + excluded.{name}" for name in _NAMES)}
"""  # noqa: S608 - constants
_BETWEEN = f"""
    SELECT day, {", ".join(_NAMES)} FROM daily_sums
    WHERE tenant = :tenant AND day BETWEEN :first AND :last ORDER BY day
"""  # noqa: S608 - constants


class SqliteDailySums:
    """`DailySums` in one file, without an end."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, tenant: str, day: date, amounts: Amounts, *, batch: str) -> None:
        del batch  # one transaction: after an error nothing was added
        values = dict.fromkeys(_NAMES, 0) | {each.value: n for each, n in amounts.items()}
        await self._database.change(_ADD, values | {"tenant": tenant, "day": day.isoformat()})

    async def between(self, tenant: str, first: date, last: date) -> dict[date, dict[Summed, int]]:
        values = {"tenant": tenant, "first": first.isoformat(), "last": last.isoformat()}
        rows = await self._database.statement(_BETWEEN, values)
        return {
            date.fromisoformat(day): dict(zip(Summed, amounts, strict=True))
            for day, *amounts in rows
        }
