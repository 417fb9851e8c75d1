"""What asking models cost, and what is known of models, in SQLite."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime

from ...model.costs import LEARNING, total_of
from ...model.jobs import JobKind, Spent
from ...model.times import to_ms
from .database import Database

_SPEND = """
    INSERT INTO ledger (tenant, day, kind, calls, prompt_tokens, completion_tokens)
    VALUES (:tenant, :day, :kind, :calls, :prompt_tokens, :completion_tokens)
    ON CONFLICT DO UPDATE SET
        calls = calls + excluded.calls,
        prompt_tokens = prompt_tokens + excluded.prompt_tokens,
        completion_tokens = completion_tokens + excluded.completion_tokens
    RETURNING calls, prompt_tokens, completion_tokens
"""
_BETWEEN = """
    SELECT day, kind, calls, prompt_tokens, completion_tokens FROM ledger
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
_KINDS = frozenset(JobKind)
_ANY = 2**62
"""More calls than are ever made."""


class SqliteLedger:
    """A `Ledger` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def spend(
        self, tenant: str, day: date, spent: Spent, *, kind: JobKind = JobKind.LEARN
    ) -> Spent:
        values = {
            "tenant": tenant,
            "day": day.isoformat(),
            "kind": kind.value,
            "calls": spent.calls,
            "prompt_tokens": spent.prompt_tokens,
            "completion_tokens": spent.completion_tokens,
        }
        [total] = await self._database.statement(_SPEND, values)
        return Spent(*total)

    async def spent(self, tenant: str, day: date, kinds: Collection[JobKind] = LEARNING) -> Spent:
        return total_of((await self.between(tenant, day, day)).get(day, {}), kinds)

    async def between(
        self, tenant: str, first: date, last: date
    ) -> dict[date, dict[JobKind, Spent]]:
        values = {"tenant": tenant, "first": first.isoformat(), "last": last.isoformat()}
        found: dict[date, dict[JobKind, Spent]] = {}
        for day, kind, *amounts in await self._database.statement(_BETWEEN, values):
            if kind in _KINDS:  # a later version may know others
                found.setdefault(date.fromisoformat(day), {})[JobKind(kind)] = Spent(*amounts)
        return found

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
