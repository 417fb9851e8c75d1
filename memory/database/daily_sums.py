"""Daily sums: one row per tenant and day."""

from __future__ import annotations

from datetime import date

from ..model.daily_sums import Amounts, Summed
from .sql_part import SqlPart

_NAMES = tuple(each.value for each in Summed)
_KNOWN_CHARS = 700
"""Of the names of the latest batches: some twenty. Whoever was not answered comes again soon."""
_ADD = f"""
    INSERT INTO daily_sums (tenant, day, batches, {", ".join(_NAMES)})
    VALUES (:tenant, :day, :batch, {", ".join(f":{name}" for name in _NAMES)})
    ON CONFLICT (tenant, day) DO UPDATE SET
        {", ".join(f"{name} = daily_sums.{name} + excluded.{name}" for name in _NAMES)},
        batches = substr(excluded.batches || daily_sums.batches, 1, {_KNOWN_CHARS})
    WHERE daily_sums.batches NOT LIKE '%' || excluded.batches || '%'
"""  # noqa: S608 - constants
_BETWEEN = f"""
    SELECT day, {", ".join(_NAMES)} FROM daily_sums
    WHERE tenant = :tenant AND day BETWEEN :first AND :last ORDER BY day
"""  # noqa: S608 - constants


class SqlDailySums(SqlPart):
    """Sums by tenant and day."""

    async def add(self, tenant: str, day: date, amounts: Amounts, *, batch: str) -> None:
        """Add to a day's sums atomically. What was added as `batch` is not added again.

        The latest batches are known, so that one can be added again after a failure. Raises
        StateError.
        """
        summed = dict.fromkeys(_NAMES, 0) | {each.value: n for each, n in amounts.items()}
        values = {"tenant": tenant, "day": day.isoformat(), "batch": f" {batch} ", **summed}
        await self.scripts.statement(_ADD, values, once=tenant)

    async def between(self, tenant: str, first: date, last: date) -> dict[date, dict[Summed, int]]:
        """The sums of these days, oldest first; days without any are left out. Raises StateError.

        Days are inclusive. What is not in a day's sums is 0.
        """
        values = {"tenant": tenant, "first": first.isoformat(), "last": last.isoformat()}
        rows = await self.scripts.statement(_BETWEEN, values)
        return {
            date.fromisoformat(day): dict(zip(Summed, amounts, strict=True))
            for day, *amounts in rows
        }
