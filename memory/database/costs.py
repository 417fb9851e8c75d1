"""What asking models cost."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime

from ..model.costs import LEARNING, total_of
from ..model.jobs import JobKind, Spent
from ..model.times import to_ms
from .scripts import ScriptRunner

_SPEND = """
    INSERT INTO ledger (tenant, day, kind, calls, prompt_tokens, completion_tokens)
    VALUES (:tenant, :day, :kind, :calls, :prompt_tokens, :completion_tokens)
    ON CONFLICT (tenant, day, kind) DO UPDATE SET
        calls = ledger.calls + excluded.calls,
        prompt_tokens = ledger.prompt_tokens + excluded.prompt_tokens,
        completion_tokens = ledger.completion_tokens + excluded.completion_tokens
    RETURNING calls, prompt_tokens, completion_tokens
"""
_BETWEEN = """
    SELECT day, kind, calls, prompt_tokens, completion_tokens FROM ledger
    WHERE tenant = :tenant AND day BETWEEN :first AND :last ORDER BY day
"""
_CALL = """
    INSERT INTO hours SELECT :tenant, :hour, 1 WHERE CAST(:most AS BIGINT) > 0
    ON CONFLICT (tenant) DO UPDATE SET
        calls = CASE WHEN hours.hour = excluded.hour THEN hours.calls + 1 ELSE 1 END,
        hour = excluded.hour
    WHERE hours.hour != excluded.hour OR hours.calls < :most
    RETURNING calls
"""
_CALLED = "SELECT calls FROM hours WHERE tenant = :tenant AND hour = :hour"
_KINDS = frozenset(JobKind)
_ANY = 2**62
"""More calls than are ever made."""


class SqlLedger:
    """A `Ledger` in one SQL database."""

    def __init__(self, scripts: ScriptRunner) -> None:
        self._scripts = scripts

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
        [total] = await self._scripts.statement(_SPEND, values, once=tenant)
        return Spent(*total)

    async def spent(self, tenant: str, day: date, kinds: Collection[JobKind] = LEARNING) -> Spent:
        return total_of((await self.between(tenant, day, day)).get(day, {}), kinds)

    async def between(
        self, tenant: str, first: date, last: date
    ) -> dict[date, dict[JobKind, Spent]]:
        values = {"tenant": tenant, "first": first.isoformat(), "last": last.isoformat()}
        found: dict[date, dict[JobKind, Spent]] = {}
        for day, kind, *amounts in await self._scripts.statement(_BETWEEN, values):
            if kind in _KINDS:  # a later version may know others
                found.setdefault(date.fromisoformat(day), {})[JobKind(kind)] = Spent(*amounts)
        return found

    async def call(self, tenant: str, hour: datetime, *, most: int | None) -> int | None:
        values = {"tenant": tenant, "hour": to_ms(hour), "most": _ANY if most is None else most}
        rows = await self._scripts.statement(_CALL, values, once=tenant)
        return int(rows[0][0]) if rows else None

    async def called(self, tenant: str, hour: datetime) -> int:
        values = {"tenant": tenant, "hour": to_ms(hour)}
        rows = await self._scripts.statement(_CALLED, values)
        return int(rows[0][0]) if rows else 0
