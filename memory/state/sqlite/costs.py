"""The cost of learning, and what is known of models, in SQLite."""

from __future__ import annotations

from datetime import date, datetime

from ...model.times import to_ms
from ...model.types import Spent
from .database import Database

_SPEND = """
    INSERT INTO ledger VALUES (:tenant, :day, :calls, :prompt_tokens, :completion_tokens)
    ON CONFLICT DO UPDATE SET
        calls = calls + excluded.calls,
        prompt_tokens = prompt_tokens + excluded.prompt_tokens,
        completion_tokens = completion_tokens + excluded.completion_tokens
    RETURNING calls, prompt_tokens, completion_tokens
"""
_SPENT = """
    SELECT calls, prompt_tokens, completion_tokens FROM ledger WHERE tenant = :tenant AND day = :day
"""
_BETWEEN = """
    SELECT day, calls, prompt_tokens, completion_tokens FROM ledger
    WHERE tenant = :tenant AND day BETWEEN :first AND :last ORDER BY day
"""
_CALL = """
    INSERT INTO hours SELECT :tenant, :hour, 1 WHERE :most > 0
    ON CONFLICT DO UPDATE SET
        calls = CASE WHEN hour = excluded.hour THEN calls + 1 ELSE 1 END,
        hour = excluded.hour
    WHERE hour != excluded.hour OR calls < :most
    RETURNING calls
"""
_CALLED = "SELECT calls FROM hours WHERE tenant = :tenant AND hour = :hour"
_ANY = 2**62
"""More calls than are ever made."""


class SqliteLedger:
    """A `Ledger` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def spend(self, tenant: str, day: date, spent: Spent) -> Spent:
        values = {
            "tenant": tenant,
            "day": day.isoformat(),
            "calls": spent.calls,
            "prompt_tokens": spent.prompt_tokens,
            "completion_tokens": spent.completion_tokens,
        }
        [total] = await self._database.statement(_SPEND, values)
        return Spent(*total)

    async def spent(self, tenant: str, day: date) -> Spent:
        values = {"tenant": tenant, "day": day.isoformat()}
        rows = await self._database.statement(_SPENT, values)
        return Spent(*rows[0]) if rows else Spent()

    async def between(self, tenant: str, first: date, last: date) -> dict[date, Spent]:
        values = {"tenant": tenant, "first": first.isoformat(), "last": last.isoformat()}
        rows = await self._database.statement(_BETWEEN, values)
        return {date.fromisoformat(day): Spent(*amounts) for day, *amounts in rows}

    async def call(self, tenant: str, hour: datetime, *, most: int | None) -> int | None:
        values = {"tenant": tenant, "hour": to_ms(hour), "most": _ANY if most is None else most}
        rows = await self._database.statement(_CALL, values)
        return int(rows[0][0]) if rows else None

    async def called(self, tenant: str, hour: datetime) -> int:
        values = {"tenant": tenant, "hour": to_ms(hour)}
        rows = await self._database.statement(_CALLED, values)
        return int(rows[0][0]) if rows else 0


_NEW = "INSERT OR IGNORE INTO standings VALUES (:tenant, :model, :after)"
_CHANGE = """
    UPDATE standings SET standing = :after
    WHERE tenant = :tenant AND model = :model AND standing = :before
"""


class SqliteStandings:
    """`Standings` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, tenant: str) -> dict[str, str]:
        rows = await self._database.statement(
            "SELECT model, standing FROM standings WHERE tenant = :tenant", {"tenant": tenant}
        )
        return {str(model): str(standing) for model, standing in rows}

    async def change(self, tenant: str, model: str, before: str | None, after: str) -> bool:
        values = {"tenant": tenant, "model": model, "before": before, "after": after}
        return await self._database.change(_NEW if before is None else _CHANGE, values) == 1
