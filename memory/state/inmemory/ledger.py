"""The cost of learning, in a dictionary."""

from __future__ import annotations

from dataclasses import astuple
from datetime import date
from operator import add

from ...types import Spent


class InMemoryLedger:
    """A `Ledger` that lives as long as the process."""

    def __init__(self) -> None:
        self._totals: dict[tuple[str, date], Spent] = {}

    async def spend(self, tenant: str, day: date, spent: Spent) -> Spent:
        before = await self.spent(tenant, day)
        total = Spent(*map(add, astuple(before), astuple(spent)))
        self._totals[tenant, day] = total
        return total

    async def spent(self, tenant: str, day: date) -> Spent:
        return self._totals.get((tenant, day), Spent())
