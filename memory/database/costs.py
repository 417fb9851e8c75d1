"""What asking models cost."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime

from ..model.costs import LEARNING, total_of
from ..model.jobs import JobKind, Spent
from ..model.times import to_ms
from ..model.types import utc_now
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
# Callers' clocks differ. No hour is later than the database's, and an earlier one than was counted
# last is that one, or two callers in turn would each begin anew; unless that one is yet to come, as
# after a clock that was wrong.
_CALL = """
    INSERT INTO hours SELECT :tenant, :hour, 1 WHERE CAST(:most AS BIGINT) > 0
    ON CONFLICT (tenant) DO UPDATE SET
        calls = CASE WHEN hours.hour BETWEEN excluded.hour AND :latest
                     THEN hours.calls + 1 ELSE 1 END,
        hour = CASE WHEN hours.hour BETWEEN excluded.hour AND :latest
                    THEN hours.hour ELSE excluded.hour END
    WHERE hours.calls < :most OR NOT hours.hour BETWEEN excluded.hour AND :latest
    RETURNING calls
"""
_CALLED = "SELECT calls FROM hours WHERE tenant = :tenant AND hour = :hour"
_KINDS = frozenset(JobKind)
_HOUR_MS = 3_600_000
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
        shift = await self._scripts.shift_ms()
        now = to_ms(utc_now()) + shift
        latest = now - now % _HOUR_MS
        values = {
            "tenant": tenant,
            "hour": latest if shift else min(to_ms(hour), latest),
            "latest": latest + _HOUR_MS,
            "most": _ANY if most is None else most,
        }
        rows = await self._scripts.statement(_CALL, values, once=tenant)
        return int(rows[0][0]) if rows else None

    async def called(self, tenant: str, hour: datetime) -> int:
        values = {"tenant": tenant, "hour": to_ms(hour)}
        rows = await self._scripts.statement(_CALLED, values)
        return int(rows[0][0]) if rows else 0
