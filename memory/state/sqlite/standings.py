"""What is known of models, in SQLite."""

from __future__ import annotations

from .database import Database

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
