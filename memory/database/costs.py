"""What asking models cost."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime

from ..model.costs import LEARNING, total_of
from ..model.jobs import JobKind, Spent
from ..model.times import to_ms
from ..model.types import utc_now
from .sql_part import SqlPart

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
_UNCALL = """
    UPDATE hours SET calls = calls - 1 WHERE tenant = :tenant AND hour = :hour AND calls > 0
    RETURNING calls
"""
_CALLED = "SELECT calls FROM hours WHERE tenant = :tenant AND hour = :hour"
_KINDS = frozenset(JobKind)
_HOUR_MS = 3_600_000
_ANY = 2**62
"""More calls than are ever made."""


class SqlLedger(SqlPart):
    """The cost of asking models, by tenant, day and kind of work."""

    async def spend(
        self, tenant: str, day: date, spent: Spent, *, kind: JobKind = JobKind.LEARN
    ) -> Spent:
        """Add to a kind's total of a day atomically; returns the new total of this kind."""
        values = {
            "tenant": tenant,
            "day": day.isoformat(),
            "kind": kind.value,
            "calls": spent.calls,
            "prompt_tokens": spent.prompt_tokens,
            "completion_tokens": spent.completion_tokens,
        }
        [total] = await self.scripts.statement(_SPEND, values, once=tenant)
        return Spent(*total)

    async def spent(self, tenant: str, day: date, kinds: Collection[JobKind] = LEARNING) -> Spent:
        """The total of these kinds on a day; zeros if nothing was spent."""
        return total_of((await self.between(tenant, day, day)).get(day, {}), kinds)

    async def between(
        self, tenant: str, first: date, last: date
    ) -> dict[date, dict[JobKind, Spent]]:
        """The totals of these days by kind, inclusive, oldest first.

        Days and kinds without any are left out.
        """
        values = {"tenant": tenant, "first": first.isoformat(), "last": last.isoformat()}
        found: dict[date, dict[JobKind, Spent]] = {}
        for day, kind, *amounts in await self.scripts.statement(_BETWEEN, values):
            if kind in _KINDS:  # a later version may know others
                found.setdefault(date.fromisoformat(day), {})[JobKind(kind)] = Spent(*amounts)
        return found

    async def call(self, tenant: str, hour: datetime, *, most: int | None) -> int | None:
        """Count a call of this hour atomically, before it is made; returns how many there are.

        None, and nothing is counted, if there are `most` already. `hour` is a full hour; only the
        calls of a tenant's latest hour are kept.
        """
        shift = await self.scripts.shift_ms()
        now = to_ms(utc_now()) + shift
        latest = now - now % _HOUR_MS
        values = {
            "tenant": tenant,
            "hour": latest if shift else min(to_ms(hour), latest),
            "latest": latest + _HOUR_MS,
            "most": _ANY if most is None else most,
        }
        rows = await self.scripts.statement(_CALL, values, once=tenant)
        return int(rows[0][0]) if rows else None

    async def uncall(self, tenant: str, hour: datetime) -> int:
        """Count one call of this hour less, if it is still the latest; returns how many are."""
        values = {"tenant": tenant, "hour": to_ms(hour)}
        rows = await self.scripts.statement(_UNCALL, values, once=tenant)
        return int(rows[0][0]) if rows else 0

    async def called(self, tenant: str, hour: datetime) -> int:
        """How many calls of this hour were counted."""
        values = {"tenant": tenant, "hour": to_ms(hour)}
        rows = await self.scripts.statement(_CALLED, values)
        return int(rows[0][0]) if rows else 0
