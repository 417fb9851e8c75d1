"""The cost of learning, in a dictionary."""

from __future__ import annotations

from dataclasses import astuple
from datetime import date, datetime
from operator import add

from ...model.types import Spent


class InMemoryLedger:
    """A `Ledger` that lives as long as the process."""

    def __init__(self) -> None:
        self._totals: dict[tuple[str, date], Spent] = {}
        self._hours: dict[str, tuple[datetime, int]] = {}

    async def spend(self, tenant: str, day: date, spent: Spent) -> Spent:
        before = await self.spent(tenant, day)
        total = Spent(*map(add, astuple(before), astuple(spent)))
        self._totals[tenant, day] = total
        return total

    async def spent(self, tenant: str, day: date) -> Spent:
        return self._totals.get((tenant, day), Spent())

    async def call(self, tenant: str, hour: datetime, *, most: int | None) -> int | None:
        count = await self.called(tenant, hour)
        if most is not None and count >= most:
            return None
        self._hours[tenant] = (hour, count + 1)
        return count + 1

    async def called(self, tenant: str, hour: datetime) -> int:
        latest, count = self._hours.get(tenant, (hour, 0))
        return count if latest == hour else 0
