"""The cost of learning, in SQLite."""

from __future__ import annotations

from datetime import date

from ...types import Spent
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
