"""What learning costs, in a dictionary."""

from __future__ import annotations

from datetime import date

from ...types import Spent


class InMemoryLedger:
    """A `Ledger` that lives as long as the process."""

    def __init__(self) -> None:
        self._totals: dict[tuple[str, date], Spent] = {}

    async def spend(self, tenant: str, day: date, spent: Spent) -> Spent:
        total = self._totals.get((tenant, day), Spent())
        total = Spent(
            total.calls + spent.calls,
            total.prompt_tokens + spent.prompt_tokens,
            total.completion_tokens + spent.completion_tokens,
        )
        self._totals[tenant, day] = total
        return total

    async def spent(self, tenant: str, day: date) -> Spent:
        return self._totals.get((tenant, day), Spent())
